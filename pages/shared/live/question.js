// A question to a class. The coin is tossed here: with private answers, what was chosen never
// leaves the browser, only the noisy answer does (measures/randomised_response.py is the same coin).

export function report(answer, options, keep, bits) {
  if (keep >= 4294967296 || bits() < keep) return answer;
  const even = 4294967296 - (4294967296 % options);
  let drawn;
  do drawn = bits(); while (drawn >= even);
  return drawn % options;
}

export function bits() {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}

// What this browser keeps of a class: one student, whichever tab, however often reloaded.
export function notes(code) {
  const name = "wordveil-class-" + code;
  const fresh = { student: null, answers: {} };
  let kept;
  try {
    kept = JSON.parse(localStorage.getItem(name)) || fresh;
  } catch (error) {
    kept = (window.wordveilClass ||= {})[code] || fresh;
  }
  if (!kept.student) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    kept.student = Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
    keepNotes(code, kept);
  }
  return kept;
}

export function keepNotes(code, kept) {
  try {
    localStorage.setItem("wordveil-class-" + code, JSON.stringify(kept));
  } catch (error) {  // a browser that keeps nothing: one student until the page is loaded again
    (window.wordveilClass ||= {})[code] = kept;
  }
}

// Sentences have **bold**, *italic* and \escaped characters; all of it becomes text, never markup.
export function written(place, sentence) {
  const parts = sentence.match(/\\[^]|\*\*|\*|[^\\*]+/g) || [];
  const open = [place];
  for (const part of parts) {
    const here = open[open.length - 1];
    if (part === "**" || part === "*") {
      const kind = part === "**" ? "STRONG" : "EM";
      if (here.tagName === kind) open.pop();
      else open.push(here.appendChild(document.createElement(kind.toLowerCase())));
    } else {
      here.append(part[0] === "\\" && part.length === 2 ? part[1] : part);
    }
  }
  return place;
}

export default function ({ data, setStateValue, parentElement }) {
  const kept = notes(data.code);
  if (!data.question) {  // only who is there
    if (data.student !== kept.student) setStateValue("student", kept.student);
    return;
  }
  const place = parentElement.querySelector(".question");
  let mine = kept.answers[data.question];
  const tell = () => setStateValue(
    "report", { student: kept.student, question: data.question, report: mine.report });
  if (mine && !data.received) tell();
  if (place.dataset.shown === data.shown && !!place.dataset.answered === !!mine) return;
  draw();

  function draw() {
    Object.assign(place.dataset, { shown: data.shown, answered: mine ? "yes" : "" });
    place.replaceChildren();
    const group = place.appendChild(document.createElement("fieldset"));
    group.appendChild(document.createElement("legend")).textContent = data.legend;
    const same = mine && (data.options.find(
      each => each.place === mine.answer && each.label === mine.label) ||
      data.options.find(each => each.place === mine.answer));
    const button = document.createElement("button");
    let chosen = null;
    if (data.slider) slide();
    else data.options.forEach((option, number) => {
      const label = group.appendChild(document.createElement("label"));
      const input = label.appendChild(document.createElement("input"));
      Object.assign(input, { type: "radio", name: data.question, value: number });
      written(label.appendChild(document.createElement("span")), option.label);
      if (mine) Object.assign(input, { disabled: true, checked: option === same });
      input.addEventListener("change", () => { chosen = option; button.disabled = false; });
    });

    function slide() {  // an untouched slider is no choice
      const input = group.appendChild(document.createElement("input"));
      const value = group.appendChild(document.createElement("output"));
      const last = data.options.length - 1;
      Object.assign(input, { type: "range", min: 0, max: last, step: 1 });
      input.value = same ? data.options.indexOf(same) : Math.floor(last / 2);
      input.setAttribute("aria-label", data.legend);
      const show = option => {
        value.textContent = option ? option.label : data.untouched;
        input.setAttribute("aria-valuetext", value.textContent);
      };
      const choose = () => {
        chosen = data.options[Number(input.value)];
        show(chosen);
        button.disabled = false;
      };
      show(same);
      input.disabled = !!mine;
      for (const event of ["input", "pointerdown", "keydown"])
        input.addEventListener(event, () => setTimeout(choose));
    }

    if (!mine) {
      place.appendChild(button);
      Object.assign(button, { type: "button", disabled: true, textContent: data.commit });
      button.addEventListener("click", () => keep(chosen));
      return;
    }
    if (same && same.feedback) say(same.right ? "right" : "wrong", same.feedback);
    say("sent", data.sent);
  }

  function say(kind, sentence) {
    const line = place.appendChild(document.createElement("p"));
    line.className = kind;
    line.setAttribute("role", "status");
    written(line, sentence);
  }

  function keep(chosen) {
    const now = notes(data.code);  // another tab may have answered meanwhile
    mine = now.answers[data.question];
    if (!mine) {
      mine = {
        answer: chosen.place, label: chosen.label,
        report: report(chosen.place, data.count, data.keep, bits),
      };
      now.answers[data.question] = mine;
      keepNotes(data.code, now);
    }
    tell();
    draw();
  }
}
