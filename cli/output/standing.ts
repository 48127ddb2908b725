// A standing in tables and facts.
import { standingMeaning, standingText, standingTone } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import type { Column } from "@/cli/output/printer";
import type { Cell } from "@/cli/output/table";

/** As data it is the name, such as `notSanitized`; in a table the words. Null: in progress. */
export const standingColumn: Column<{ readonly standing: Standing | null }> = {
  name: "standing",
  value: ({ standing }) => standing,
  text: ({ standing }) => (standing ? standingText[standing] : ""),
  tone: ({ standing }) => (standing ? standingTone[standing] : null),
  // A standing that is cut says something else.
  exact: true,
};

export const standingFact = (standing: Standing | null): Cell | null =>
  standing
    ? { text: `${standingText[standing]}. ${standingMeaning[standing]}`, tone: standingTone[standing] }
    : null;
