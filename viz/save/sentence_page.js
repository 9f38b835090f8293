// Every fragment of a saved page comes to life.

import { bitext } from "../draw/evidence/script/fragment.js";
import { all } from "../draw/pen/script/elements.js";
import { reach } from "../draw/pen/script/reaching.js";

for (const root of all(document, ".bitext")) bitext(root);
reach(document.body);
