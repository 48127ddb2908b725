"use client";
// Below the identity of a host's TPM: how its newest boot was measured, what differs from the closest bundle, and the way to make a bundle of it.
import { useMe } from "@/components/frame/me";
import { PromoteDialog } from "@/components/hosts/attestation/promote-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { Facts, type Fact } from "@/components/ui/head/facts";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { ProofTime } from "@/components/ui/time/time";
import { reachOf } from "@/server/domain/access/access";
import {
  measurementStateText,
  measurementWords,
  registerText,
} from "@/server/domain/attestation/measurement-text";
import { routes } from "@/server/domain/console/routes";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import type { HostAttestationView, HostDetail } from "@/server/surfaces/trpc/types";
import Link from "next/link";

type Measured = NonNullable<HostAttestationView["measurement"]>;
type Event = NonNullable<Measured["events"]>[number];

interface MeasurementProps {
  readonly host: Pick<HostDetail, "id" | "name">;
  readonly measurement: HostAttestationView["measurement"];
  readonly onDone: () => void;
}

export function Measurement({ host, measurement, onDone }: MeasurementProps) {
  return (
    <>
      <div className="sec">
        <h3>Measured boot</h3>
        <span className="sum cut">{measurementStateText[measurement?.state ?? "notAsked"]}</span>
        <span className="end">
          <Link href={routes.measuredBoot()}>Bundles</Link>
        </span>
      </div>
      {measurement === null ? (
        <p className="text-quiet after">No boot of this host was asked for a quote.</p>
      ) : (
        <Boot host={host} measured={measurement} onDone={onDone} />
      )}
    </>
  );
}

interface BootProps extends Pick<MeasurementProps, "host" | "onDone"> {
  readonly measured: Measured;
}

function Boot({ host, measured, onDone }: BootProps) {
  const { state, closest, digest, values, events } = measured;
  const words = measurementWords(measured);
  return (
    <>
      {state === "MeasuringFailed" || state === "PendingBundle" ? (
        <div className="after">
          <Notice tone={state === "PendingBundle" ? "waiting" : "failed"}>{words}</Notice>
          {digest === null ? null : (
            <Promote host={host} measured={measured} digest={digest} onDone={onDone} />
          )}
        </div>
      ) : (
        <p className="text-quiet after">{words}</p>
      )}
      <Facts facts={factsOf(measured)} />
      {values.length === 0 ? null : (
        <DataTable
          caption={`Registers of boot ${measured.bootEpoch}`}
          columns={registerColumns}
          rows={registersOf(measured)}
          rowId={({ pcr }) => String(pcr)}
        />
      )}
      {events === null || values.length === 0 ? null : (
        <Events events={events} differing={differingFrom(closest)} />
      )}
    </>
  );
}

function Promote({ digest, ...props }: BootProps & { readonly digest: string }) {
  const { role } = useMe();
  return (
    <DialogButton
      disabledReason={
        reachOf(role, "sku.write") === "any"
          ? undefined
          : "Only a provider admin can request a bundle of what a boot measured"
      }
      dialog={(onClose) => <PromoteDialog {...props} digest={digest} onClose={onClose} />}
    >
      Promote…
    </DialogButton>
  );
}

/** Registers whose values are not those that the bundle expects. */
const differingFrom = (closest: Measured["closest"]): readonly number[] =>
  (closest?.differences ?? []).filter(({ expected }) => expected !== null).map(({ pcr }) => pcr);

function factsOf({ bootEpoch, measuredAt, digest, bundle, closest, events }: Measured): readonly Fact[] {
  const differing = differingFrom(closest).length;
  const shown: readonly (Fact | null)[] = [
    measuredAt && [
      "Measured",
      <span key="measured">
        <ProofTime at={measuredAt} />, boot {bootEpoch}
      </span>,
    ],
    digest === null
      ? null
      : [
          "All values",
          <span key="digest" className="mono">
            {digest}
          </span>,
        ],
    bundle && ["Bundle", `${bundle.name}, ${bundle.state.toLowerCase()}`],
    closest === null || closest.bundle.id === bundle?.id
      ? null
      : [
          "Closest bundle",
          `${closest.bundle.name}: ${formatCounted(differing, "register differs", "registers differ")}`,
        ],
    measuredAt && [
      "Event log",
      events === null ? "the kernel shows none" : formatCounted(events.length, "event"),
    ],
  ];
  return shown.filter((fact) => fact !== null);
}

interface Register {
  readonly pcr: number;
  readonly value: string;
  /** `null`: there is no bundle to compare with. */
  readonly compared: "same" | "differs" | "any value" | null;
  readonly expected: string | null;
}

function registersOf({ values, closest }: Measured): readonly Register[] {
  return values.map(({ pcr, value }) => {
    const difference = closest?.differences.find((each) => each.pcr === pcr);
    const expected = difference?.expected ?? null;
    const compared =
      closest === null
        ? null
        : difference === undefined
          ? "same"
          : expected === null
            ? "any value"
            : "differs";
    return { pcr, value, compared, expected };
  });
}

const register = columnsOf<Register>();
const registerColumns = [
  register.count("register", "Register", ({ pcr }) => pcr, {
    ...{ width: 90, narrow: "top-start", rowHeader: true, align: "start", firstOrder: "ascending" },
  }),
  register.text("holds", "Holds", ({ pcr }) => registerText(pcr), { width: 260, narrow: "top-end" }),
  register.cell(
    "value",
    "Value",
    ({ value, expected }) => (
      <span className="mono text-small">
        {value}
        {expected === null ? null : (
          <>
            <br />
            <span className="text-quiet">expected {expected}</span>
          </>
        )}
      </span>
    ),
    { narrow: "line" },
  ),
  register.cell(
    "bundle",
    "Closest bundle",
    ({ compared }) =>
      compared === null ? (
        "–"
      ) : compared === "differs" ? (
        <span className="marked-text">
          <Mark tone="failed" label="" />
          <span className="tone" data-tone="failed">
            differs
          </span>
        </span>
      ) : (
        <span className="text-quiet">{compared}</span>
      ),
    { width: 130, narrow: "bottom-end", sort: ({ compared }) => compared },
  ),
];

/** More than any firmware has. */
const eventsShown = 500;

/** What the firmware measured into the registers that differ, or into all if none does. */
function Events({
  events,
  differing,
}: {
  readonly events: readonly Event[];
  readonly differing: readonly number[];
}) {
  const chosen = differing.length === 0 ? events : events.filter(({ pcr }) => differing.includes(pcr));
  const rows = chosen.slice(0, eventsShown).map((event, place) => ({ ...event, place }));
  return (
    <details className="found">
      <summary>
        <b className="text-medium">Events</b>{" "}
        <span className="text-quiet">
          {differing.length === 0
            ? "of all registers"
            : `of the registers that differ: ${differing.join(", ")}`}
          , in the order in which they were measured
          {chosen.length > rows.length
            ? `; the first ${formatCount(rows.length)} of ${formatCount(chosen.length)}`
            : ""}
        </span>
      </summary>
      <DataTable
        caption="Events of the firmware"
        columns={eventColumns}
        rows={rows}
        rowId={({ place }) => String(place)}
        empty={<p className="text-quiet">None of these registers has an event.</p>}
      />
    </details>
  );
}

const event = columnsOf<Event & { readonly place: number }>();
const eventColumns = [
  event.count("register", "Register", ({ pcr }) => pcr, {
    ...{ width: 90, narrow: "top-start", rowHeader: true, align: "start", firstOrder: "ascending" },
  }),
  event.text("type", "Type", ({ type }) => type, {
    width: 320,
    narrow: "top-end",
    className: "mono text-small",
  }),
  event.text("says", "Says", ({ text }) => text, { narrow: "line" }),
  event.text("digest", "SHA-256", ({ digest }) => digest, {
    ...{ width: 260, narrow: "line", className: "mono text-small" },
  }),
];
