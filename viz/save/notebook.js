// The fragment that a notebook shows comes to life; it stands before its script.

import { bitext } from "../draw/evidence/script/fragment.js";

bitext(document.currentScript.previousElementSibling.querySelector(".bitext"));
