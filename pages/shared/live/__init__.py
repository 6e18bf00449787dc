"""A class that is live: its store, its questions, and what a student's page does for it.

store       who is there, what was answered, what is revealed: SQLite, for several processes
limits      how often a wrong code may be tried
questions   what a class can be asked, the options of each, and what to say of each mistake
student     what a student's page shows of the class; the coin is tossed in the browser
"""
