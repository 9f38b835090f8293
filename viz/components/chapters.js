// The list of chapters, with a mark for each screen that is done; the marks are in this browser alone.

import { doneIn, forget } from "../draw/learn/script/progress.js";
import { all, button, element } from "../draw/pen/script/elements.js";

/** @typedef {{key: string, title: string, question: string, metrics: string, paper: string, minutes: number,
 *   screens: number}} Chapter */

/** @param {import("./script/room.js").Component<{chapters: Chapter[]}>} component */
export default function ({ parentElement: parent, data, setTriggerValue }) {
  const list = element("ol", "chapters");
  let any = false;
  for (const chapter of data.chapters) {
    const done = doneIn(chapter.key);
    any ||= done.size > 0;
    const item = element("li");
    // Where all is done, from the first screen again.
    const first = Array.from({ length: chapter.screens }, (_, n) => n + 1).find((n) => !done.has(n)) ?? 1;
    const open = button("", () => setTriggerValue("open", [chapter.key, first]), "chapter");
    const marks = element("span", "marks");
    for (let n = 1; n <= chapter.screens; n++) marks.append(element("i", done.has(n) ? "done" : ""));
    const said = done.size ? `${done.size} of ${chapter.screens} done` : `${chapter.minutes} minutes`;
    marks.append(element("span", "", said));
    open.append(
      element("b", "", chapter.title),
      element("span", "question", chapter.question),
      element("span", "of", [chapter.metrics, chapter.paper].filter(Boolean).join(" · ")),
      marks,
    );
    item.append(open);
    list.append(item);
  }
  parent.replaceChildren(list);
  if (any) {
    const again = button("Forget what is done", () => {
      forget();
      for (const mark of all(list, ".marks .done")) mark.classList.remove("done");
      again.remove();
    }, "forget");
    parent.append(again);
  }
  return () => parent.replaceChildren();
}
