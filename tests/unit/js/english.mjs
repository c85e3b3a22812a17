// Loaded before every test: sets the English texts.

import { readFileSync } from "node:fs";
import { setTranslator, translatorFor } from "../../../plugin_manifest/scripts/core/ui/i18n.js";

const FILE = new URL("../../../plugin_manifest/lang/en.json", import.meta.url);
setTranslator(translatorFor(JSON.parse(readFileSync(FILE, "utf8"))));
