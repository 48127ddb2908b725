// All safety checks, for `scripts/mutation.mjs`. A check that is rewritten is rewritten in its list, too.
import { agent } from "./mutants/agent.mjs";
import { clocks } from "./mutants/clocks.mjs";
import { admission } from "./mutants/cleaning.mjs";
import { handlers } from "./mutants/controller.mjs";
import { database } from "./mutants/database.mjs";
import { fake } from "./mutants/fake.mjs";
import { hardware } from "./mutants/hardware.mjs";
import { gates, judging } from "./mutants/rules.mjs";
import { start } from "./mutants/start.mjs";
import { surfaces } from "./mutants/surfaces.mjs";

/** @typedef {import("./mutants/mutant.mjs").Mutant} Mutant */

/** @type {readonly Mutant[]} */
export const mutants = [...agent, ...clocks, ...judging, ...gates, ...admission, ...handlers, ...fake, ...hardware, ...database, ...start, ...surfaces];
