"use client";
// External programs with one token each: the list, and adding, replacing the token of, and removing one.
import { useState } from "react";
import type { ReactNode } from "react";
import { useMe } from "@/components/frame/me";
import { SettingsHead } from "@/components/sites/settings-head";
import { Button } from "@/components/ui/button";
import { ActDialog, type Client } from "@/components/ui/dialogs/act-dialog";
import { SecretOnce } from "@/components/ui/dialogs/secret-once";
import { Empty } from "@/components/ui/empty";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { reachOf } from "@/server/domain/access/access";

/** The short name for buttons: the last word, such as "source" of "health source". */
export const shortOf = (kind: string): string => kind.slice(kind.lastIndexOf(" ") + 1);

interface Program {
  readonly id: string;
  readonly name: string;
  /** Null: all sites. */
  readonly site: string | null;
  readonly lastUsedAt: Date | null;
}

/** A token that is shown once. */
export interface NewToken {
  readonly name: string;
  readonly token: string;
}

export interface AddDialogProps {
  readonly onAdded: (shown: NewToken) => void;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

interface Act<Answer> {
  /** The consequence, stated before the act. */
  readonly consequence: string;
  readonly send: (client: Client) => Promise<Answer>;
}

interface ProgramsPageProps<Row extends Program> {
  /** Such as "health source"; buttons use the last word. */
  readonly kind: string;
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly what: ReactNode;
  /** Shown between the site and the token's last use. */
  readonly columns: readonly TableColumn<Row>[];
  readonly usedLabel: string;
  /** Explains such a program while the list is empty. */
  readonly empty: string;
  readonly adding: (props: AddDialogProps) => ReactNode;
  readonly replacing: (program: Row) => Act<NewToken>;
  readonly removing: (program: Row) => Act<unknown> & { readonly whyNot?: string | undefined };
  readonly onDone: () => void;
}

/** The open dialog. */
type Asked<Row> = { readonly kind: "add" } | { readonly kind: "replace" | "remove"; readonly program: Row };

/** Users who may apply settings can edit; others see it read-only. */
export function ProgramsPage<Row extends Program>(props: ProgramsPageProps<Row>) {
  const { kind, caption, rows, what, empty, adding, onDone } = props;
  const { role } = useMe();
  const [asked, setAsked] = useState<Asked<Row>>();
  const [shown, setShown] = useState<NewToken>();
  const whyNot =
    reachOf(role, "site.apply") === "any" ? undefined : `Only a provider admin can change ${kind}s`;
  const close = () => setAsked(undefined);
  return (
    <>
      <SettingsHead
        what={what}
        acts={
          <Button small disabledReason={whyNot} onClick={() => setAsked({ kind: "add" })}>
            Add a {shortOf(kind)}…
          </Button>
        }
      />
      <DataTable
        caption={caption}
        columns={columnsFor(props, whyNot, setAsked)}
        rows={rows}
        rowId={({ id }) => id}
        empty={<Empty title={`No ${kind}`}>{empty} It gets a token of its own when it is added.</Empty>}
      />
      {asked?.kind === "add" ? (
        adding({ onAdded: setShown, onDone, onClose: close })
      ) : asked === undefined ? null : (
        <ProgramDialog {...props} {...asked} words={kind} onToken={setShown} onClose={close} />
      )}
      {shown === undefined ? null : (
        <SecretOnce
          title={`Token of ${shown.name}`}
          what={`the token of the ${kind} ${shown.name}`}
          secret={shown.token}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

const columnsFor = <Row extends Program>(
  { columns, usedLabel, removing }: ProgramsPageProps<Row>,
  whyNot: string | undefined,
  ask: (asked: Asked<Row>) => void,
  column = columnsOf<Row>(),
): readonly TableColumn<Row>[] => [
  column.name("name", "Name", ({ name }) => name, { className: "mono" }),
  column.text("site", "Site", ({ site }) => site ?? "every site", { width: 120, narrow: "bottom-start" }),
  ...columns,
  column.age("used", usedLabel, ({ lastUsedAt }) => lastUsedAt, {
    width: 112,
    narrow: "top-end",
    none: <span className="text-quiet">never</span>,
  }),
  column.acts(256, (program) => (
    <span className="row-acts">
      <Button
        small
        disabledReason={whyNot}
        aria-label={`Replace the token of ${program.name}`}
        onClick={() => ask({ kind: "replace", program })}
      >
        Replace token…
      </Button>
      <Button
        small
        disabledReason={whyNot ?? removing(program).whyNot}
        aria-label={`Remove ${program.name}`}
        onClick={() => ask({ kind: "remove", program })}
      >
        Remove…
      </Button>
    </span>
  )),
];

interface ProgramDialogProps<Row extends Program> extends Pick<
  ProgramsPageProps<Row>,
  "replacing" | "removing" | "onDone"
> {
  readonly kind: "replace" | "remove";
  readonly program: Row;
  readonly words: string;
  readonly onToken: (shown: NewToken) => void;
  readonly onClose: () => void;
}

function ProgramDialog<Row extends Program>(props: ProgramDialogProps<Row>) {
  const { kind, program, words, replacing, removing, onToken, ...rest } = props;
  if (kind === "replace") {
    const { consequence, send } = replacing(program);
    return (
      <ActDialog
        title={`Replace the token of ${program.name}?`}
        consequence={consequence}
        confirmWords="Replace token"
        send={async (_, client) => onToken(await send(client))}
        said={`The token of ${program.name} is replaced.`}
        {...rest}
      />
    );
  }
  const { consequence, send } = removing(program);
  return (
    <ActDialog
      title={`Remove the ${words} ${program.name}?`}
      consequence={consequence}
      confirmWords={`Remove ${shortOf(words)}`}
      send={(_, client) => send(client)}
      said={`The ${words} ${program.name} is removed.`}
      {...rest}
    />
  );
}
