// The list of chapters, with a mark for each screen that is done; the marks are in this browser alone. `lesson.js` of
// viz/draw stands before this.

export default function ({ parentElement: parent, data, setTriggerValue }) {
  const list = make("ol", "chapters");
  let any = false;
  for (const chapter of data.chapters) {
    const done = doneIn(chapter.key);
    any ||= done.size > 0;
    const item = make("li");
    const open = make("button", "chapter");
    open.type = "button";
    // Where all is done, from the first screen again.
    const first = Array.from({ length: chapter.screens }, (_, n) => n + 1).find((n) => !done.has(n)) ?? 1;
    open.addEventListener("click", () => setTriggerValue("open", [chapter.key, first]));
    const marks = make("span", "marks");
    for (let n = 1; n <= chapter.screens; n++) marks.append(make("i", done.has(n) ? "done" : ""));
    const said = done.size ? `${done.size} of ${chapter.screens} done` : `${chapter.minutes} minutes`;
    marks.append(make("span", "", said));
    open.append(
      make("b", "", chapter.title),
      make("span", "question", chapter.question),
      make("span", "of", [chapter.metrics, chapter.paper].filter(Boolean).join(" · ")),
      marks,
    );
    item.append(open);
    list.append(item);
  }
  parent.replaceChildren(list);
  if (any) {
    const again = make("button", "forget", "Forget what is done");
    again.type = "button";
    again.addEventListener("click", () => {
      forget();
      for (const mark of list.querySelectorAll(".marks .done")) mark.classList.remove("done");
      again.remove();
    });
    parent.append(again);
  }
  return () => parent.replaceChildren();
}

function make(tag, name, text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text) made.textContent = text;
  return made;
}
