// The page of one set of weights.

import { App } from "./app.mjs";
import { opened } from "./opening.mjs";

opened(App);
