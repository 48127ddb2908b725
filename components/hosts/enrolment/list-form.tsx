"use client";
// Enrols a list of hosts: pasted, dropped or chosen as a file, and checked first, with faults shown by line.
import { useMutation } from "@tanstack/react-query";
import { useStore } from "@tanstack/react-form";
import { useRouter } from "next/navigation";
import { useRef, useState, type DragEvent, type ReactNode } from "react";
import { z } from "zod";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Fields, type FieldSpecs } from "@/components/ui/form/fields";
import { useAppForm } from "@/components/ui/form/form-kit";
import { PageForm } from "@/components/ui/form/page-form";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { Notice } from "@/components/ui/notice";
import { useSay } from "@/components/ui/toast";
import { routes } from "@/server/domain/console/routes";
import { columnNames } from "@/server/domain/hosts/enrolment/host-line";
import { isArchive, listText, longestWorkbook, notCsv } from "@/server/domain/hosts/enrolment/spreadsheet";
import type { Enrolled } from "@/server/surfaces/trpc/types";
import { FaultTable } from "@/components/hosts/enrolment/fault-table";
import { emptyOptions, optionSchema, optionSpecs, type SiteName } from "@/components/hosts/enrolment/options";

/** The server's limit (`longestCsv`). */
const longest = 1_000_000;

const schema = z
  .object({
    ...optionSchema,
    csv: z.string().max(longest, "Longer than 1 MB: split the file"),
    /** A workbook in base64; empty: none was chosen. */
    workbook: z.string(),
    set: z.string(),
    username: z.string(),
    password: z.string(),
  })
  .refine(({ csv, workbook }) => csv !== "" || workbook !== "", {
    path: ["csv"],
    message: "Paste, drop or choose a file",
  });
type Values = z.infer<typeof schema>;

/** The result of a check, and the text that was checked. */
interface Checked {
  readonly sent: string;
  readonly answer: Enrolled;
}

const inputOf = (
  { site, goal, firstContact, csv, workbook, set, username, password }: Values,
  fileName: string | null,
) => ({
  site,
  goal,
  firstContact,
  ...(workbook === "" ? { csv } : { workbook }),
  ...(fileName === null ? {} : { fileName }),
  credential: {
    ...(set === "" ? {} : { set }),
    ...(username === "" ? {} : { username }),
    ...(password === "" ? {} : { password }),
  },
});

/** The form's values, the last check, and submission. */
function useList(sites: readonly SiteName[]) {
  const client = useTRPCClient();
  const router = useRouter();
  const say = useSay();
  const [empty] = useState(() => ({
    ...emptyOptions(sites),
    csv: "",
    workbook: "",
    set: "",
    username: "",
    password: "",
  }));
  const [fileName, setFileName] = useState<string | null>(null);
  const [checked, setChecked] = useState<Checked>();
  const enrolment = useMutation({
    mutationFn: async ({ values, dryRun }: { values: Values; dryRun: boolean }) => ({
      dryRun,
      sent: JSON.stringify(values),
      answer: await client.enrolment.enroll.mutate({ ...inputOf(values, fileName), dryRun }),
    }),
    onSuccess: ({ dryRun, sent, answer }) => {
      if (dryRun || answer.id === null) return setChecked({ sent, answer });
      say(`${formatCounted(answer.enrolled, "host")} enrolled`);
      router.push(routes.enrolments.one(answer.id));
    },
  });
  const form = useAppForm({
    defaultValues: empty,
    validators: { onChange: schema },
    onSubmit: ({ value }) =>
      enrolment.mutateAsync({ values: schema.parse(value), dryRun: false }).then(nothing, nothing),
  });
  const values = useStore(form.store, (state) => state.values);
  const parsed = schema.safeParse(values);
  const isCurrent = checked !== undefined && parsed.success && checked.sent === JSON.stringify(parsed.data);
  return {
    form,
    enrolment,
    parsed,
    current: isCurrent ? checked.answer : undefined,
    check: () => {
      if (parsed.success) enrolment.mutate({ values: parsed.data, dryRun: true });
    },
    take: async (file: File | undefined) => {
      if (file === undefined) return;
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (isArchive(bytes)) {
        const workbook = await base64Of(file);
        if (workbook.length > longestWorkbook)
          return say(`${file.name} is longer than 750 kB: split the list`, "failed");
        form.setFieldValue("csv", "");
        form.setFieldValue("workbook", workbook);
        return setFileName(file.name.slice(0, 255));
      }
      const text = listText(bytes);
      const unread = notCsv(text);
      if (unread !== null) return say(`${file.name} ${unread}`, "failed");
      form.setFieldValue("workbook", "");
      form.setFieldValue("csv", text);
      setFileName(file.name.slice(0, 255));
    },
    workbookName: values.workbook === "" ? null : (fileName ?? ""),
    dropWorkbook: () => {
      form.setFieldValue("workbook", "");
      setFileName(null);
    },
  };
}

/** A file in base64. */
const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).replace(/^[^,]*,/, "")));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("not read")));
    reader.readAsDataURL(file);
  });

const whyNotYet = (current: Enrolled | undefined): string | undefined =>
  current === undefined
    ? "Check the list first"
    : current.enrolled === 0
      ? "No line can be enrolled"
      : undefined;

const textSpecs = {
  set: { label: "BMC credentials", aside: "name of a credential set of the site", mono: true },
  username: { label: "BMC user", aside: "for hosts without one", mono: true },
  password: {
    label: "BMC password",
    aside: "for hosts without one",
    type: "password",
    autoComplete: "new-password",
  },
} satisfies FieldSpecs;

export function ListForm({ sites, whyNot }: { sites: readonly SiteName[]; whyNot: string | undefined }) {
  const { form, enrolment, parsed, current, check, take, workbookName, dropWorkbook } = useList(sites);
  return (
    <form.AppForm>
      <PageForm
        className="enrolment-form"
        schema={schema}
        problem={enrolment.error === null ? undefined : problemOf(enrolment.error)}
        missing={whyNot ?? whyNotYet(current)}
        submitWords={
          current === undefined ? "Enrol hosts" : `Enrol ${formatCounted(current.enrolled, "host")}`
        }
        acts={
          <Button
            small
            busy={enrolment.isPending}
            disabledReason={whyNot ?? parsed.error?.issues[0]?.message}
            onClick={check}
          >
            Check list
          </Button>
        }
      >
        <DropZone onFile={take}>
          {workbookName === null ? (
            <Fields form={form} fields={{ csv: csvField }} />
          ) : (
            <Notice
              tone="good"
              act={
                <Button small onClick={dropWorkbook}>
                  Remove file
                </Button>
              }
            >
              Workbook {workbookName}
            </Notice>
          )}
        </DropZone>
        <div className="fields">
          <Fields form={form} fields={{ ...textSpecs, ...optionSpecs(sites) }} />
        </div>
        {current === undefined ? null : <CheckResult answer={current} />}
      </PageForm>
    </form.AppForm>
  );
}

const csvField = {
  label: "List",
  aside: "paste CSV, or drop a CSV or XLSX file here; the first line names the columns",
  hint: columnNames.join(", "),
  wide: true,
  rows: 2,
  maxLength: longest,
};

const nothing = () => undefined;

function CheckResult({ answer }: { answer: Enrolled }) {
  return (
    <>
      <Notice tone={answer.refused === 0 ? "good" : "attention"}>
        {formatCount(answer.enrolled)} of {formatCounted(answer.lines.length, "line")} can be enrolled.
        {answer.refused === 0 ? null : " The others are left out: correct them now, or enrol them later."}
      </Notice>
      {answer.notice === null ? null : <Notice tone="attention">{answer.notice}</Notice>}
      {answer.refused === 0 ? null : <FaultTable lines={answer.lines} />}
    </>
  );
}

/** Takes a file by drag and drop or the file chooser. */
function DropZone({
  onFile,
  children,
}: {
  onFile: (file: File | undefined) => Promise<void>;
  children: ReactNode;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void onFile(event.dataTransfer.files[0]);
  };
  return (
    <div
      className="enrolment-drop"
      data-over={over ? "" : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
      <input
        ref={input}
        type="file"
        accept=".csv,.xlsx,text/csv,text/plain"
        hidden
        onChange={(event) => void onFile(event.target.files?.[0])}
      />
      <Button small onClick={() => input.current?.click()}>
        Choose a file…
      </Button>
    </div>
  );
}
