// The list of chapters, with a mark for each screen that is done; the marks are in this browser alone.

import { doneIn, forget } from "../draw/learn/script/progress.js";
import { all, button, element } from "../draw/pen/script/elements.js";

/** @typedef {{key: string, title: string, needs: string[], question: string, metrics: string, paper: string, minutes: number,
 *   numbers: number[], own: boolean}} Chapter the numbers are those of its screens in their order; a reader's own has none
 *   on the list itself */

/** @param {import("./script/room.js").Component<{chapters: Chapter[]}>} component */
export default function ({ parentElement: parent, data, setTriggerValue }) {
  const list = element("ol", "chapters");
  const owned = data.chapters.filter((chapter) => chapter.own).length; // they stand first
  let any = false;
  for (const [n, chapter] of data.chapters.entries()) {
    const done = doneIn(chapter.key);
    any ||= done.size > 0;
    const item = element("li");
    // Where all is done, from the first screen again.
    const marked = chapter.numbers.map((number) => done.has(number));
    const first = marked.indexOf(false) + 1 || 1;
    const open = button("", () => setTriggerValue("open", [chapter.key, first]), "chapter");
    const marks = element("span", "marks");
    for (const mark of marked) marks.append(element("i", mark ? "done" : ""));
    const count = marked.filter(Boolean).length;
    const said = count ? `${count} of ${marked.length} done` : `${chapter.minutes} minutes`;
    marks.append(element("span", "", said));
    open.append(
      element("b", "", chapter.own ? chapter.title : `${n + 1 - owned}. ${chapter.title}`),
      element("span", "question", chapter.question),
      element("span", "of", [chapter.own && "Your own", chapter.metrics, chapter.paper].filter(Boolean).join(" · ")),
      ...(chapter.needs.length ? [element("span", "of", `Builds on: ${chapter.needs.join(" · ")}`)] : []),
      marks,
    );
    item.append(open);
    list.append(item);
  }
  parent.replaceChildren(list);
  if (any) {
    const again = button("Clear my progress", () => {
      forget();
      for (const mark of all(list, ".marks .done")) mark.classList.remove("done");
      again.remove();
    }, "forget");
    parent.append(again);
  }
  return () => parent.replaceChildren();
}
