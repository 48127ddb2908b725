// `reclaim hosts views`, `save-view`, `delete-view`, `filter-values`: the user's own views of the hosts list, and the values that a filter accepts.
import { z } from "zod";
import { list as listOf, record } from "@/server/contract/define";
import type { SavedView } from "@/server/surfaces/trpc/types";
import { act, derived, list } from "@/cli/define/command";
import { arg, found } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import type { Column } from "@/cli/output/printer";

const columns: readonly Column<SavedView>[] = [
  { name: "name", value: (row) => row.name, whole: true },
  { name: "filter", value: (row) => row.filter },
  { name: "sort", value: (row) => row.sort },
  { name: "hide", value: (row) => row.hide },
  { name: "group", value: (row) => row.group },
  { name: "id", value: (row) => row.id, extra: true },
];

/** Each value with the filter key that accepts it. */
const valueColumns: readonly Column<{ readonly key: string; readonly value: string }>[] = [
  { name: "key", value: (row) => row.key, whole: true },
  { name: "value", value: (row) => row.value, whole: true },
];

const ownView = found(arg("<name>", "the view's name"), async ({ client }, text) => {
  const view = (await client.hosts.savedViews.query()).find(({ name }) => name === text);
  if (view === undefined) throw new CommandError("notFound", `You have no view ${text}.`);
  return view;
});

export const views = [
  list("hosts views", { of: "hosts.savedViews", columns, none: "You have no saved views." }),
  act("hosts save-view", {
    of: "hosts.saveView",
    args: {
      name: arg("<name>", "the view's name in the list"),
      filter: arg("<filter...>", "as in `reclaim hosts list`"),
    },
    input: ({ name, filter }) => ({ name, filter: filter.join(" ") }),
    said: ({ name }) => `View ${name} saved.`,
  }),
  act("hosts delete-view", {
    of: "hosts.removeView",
    args: { view: ownView },
    input: ({ view: { id } }) => ({ id }),
    said: ({ view: { name } }) => `View ${name} deleted.`,
  }),
  derived("hosts filter-values", {
    of: "hosts.filterValues",
    rows: (values) =>
      Object.entries(values).flatMap(([key, names]) => names.map((value) => ({ key: `${key}:`, value }))),
    shape: listOf(record({ key: z.string(), value: z.string() })),
    columns: valueColumns,
    none: "No values yet.",
  }),
];
