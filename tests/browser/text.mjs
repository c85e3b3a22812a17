/** The page's texts by their keys in the language file, so that a test survives a new wording. */

import { readFileSync } from "node:fs";
import { localize, setTranslator, translatorFor } from "../../plugin_manifest/scripts/core/ui/i18n.js";

const FILE = new URL("../../plugin_manifest/lang/en.json", import.meta.url);
setTranslator(translatorFor(JSON.parse(readFileSync(FILE, "utf8"))));

export const text = localize;
