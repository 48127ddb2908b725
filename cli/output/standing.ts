// A standing in tables and facts. A server of the release before does not send one.
import { standingMeaning, standingText, standingTone } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import type { Column } from "@/cli/output/printer";
import type { Cell } from "@/cli/output/table";

type Told = Standing | null | undefined;

/** As data it is the name, such as `notSanitized`; in a table the words. Null: in progress. */
export const standingColumn: Column<{ readonly standing: Told }> = {
  name: "standing",
  value: ({ standing }) => standing ?? null,
  text: ({ standing }) => (standing ? standingText[standing] : ""),
  tone: ({ standing }) => (standing ? standingTone[standing] : null),
  // A standing that is cut says something else.
  exact: true,
};

export const standingFact = (standing: Told): Cell | null =>
  standing
    ? { text: `${standingText[standing]}. ${standingMeaning[standing]}`, tone: standingTone[standing] }
    : null;
