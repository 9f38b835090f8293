// The fragment that a notebook shows comes to life; it stands before its script.

import { bitext } from "../draw/evidence/script/fragment.js";
import { one } from "../draw/pen/script/elements.js";
import { reach } from "../draw/pen/script/reaching.js";

const output = one(document.currentScript.previousElementSibling, ".bitext");
bitext(output);
reach(output);
