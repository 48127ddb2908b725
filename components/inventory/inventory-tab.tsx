"use client";
// The tab that sets what is known of a host beside what was found in it.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { bytesWords } from "@/components/ui/format/bytes";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { Age } from "@/components/ui/time/time";
import type { HostDetail, HostInventoryView } from "@/server/surfaces/trpc/types";
import { DispositionTable } from "@/components/inventory/disposition-table";

const refreshMs = 3000;

export function InventoryTab({ host, onDone }: { host: HostDetail; onDone: () => void }) {
  const trpc = useTRPC();
  const { data: inventory, refetch } = useSuspenseQuery(
    trpc.host.inventory.queryOptions({ hostId: host.id }),
  );
  useLiveRefresh(refetch, { hostId: host.id, everyMs: refreshMs });
  return (
    <>
      <div className="sec">
        <h2>Storage</h2>
        <span className="sum cut">
          device list of the running or last reclamation, frozen when its plan was made
        </span>
      </div>
      <Inspection inspection={host.inspection} />
      <Storage inventory={inventory} />
      <DispositionTable host={host} onDone={onDone} />
      <div className="sec">
        <h2>Parts</h2>
        <span className="sum cut">
          {host.sku === null
            ? "no SKU is assigned"
            : `what SKU ${host.sku} requires, and what the agent found`}
        </span>
      </div>
      <Parts inventory={inventory} hasSku={host.sku !== null} />
      <div className="sec">
        <h2>Inventories</h2>
        <span className="sum cut">the newest inventory of each source, as reported</span>
      </div>
      <Found inventory={inventory} />
    </>
  );
}

/** The reading that a person asked for here. */
function Inspection({ inspection }: Pick<HostDetail, "inspection">) {
  if (inspection === null) return null;
  const { message, readAt, askedAt } = inspection;
  return (
    <p className="n10 after">
      {message === null && readAt === null ? (
        <>
          The BMC&apos;s inventory is being read, since <Age at={askedAt} />.
        </>
      ) : readAt === null ? (
        <>The BMC&apos;s inventory could not be read: {message}. The last good one stays.</>
      ) : (
        <>
          The BMC&apos;s inventory was read <Age at={readAt} /> ago, on request; the agent&apos;s follows with
          its next boot.
        </>
      )}
    </p>
  );
}

interface StorageRow {
  readonly serial: string;
  readonly model: string;
  /** What an inventory said of it; null: none lists it. */
  readonly found: HostInventoryView["known"][number] | null;
  readonly status: string;
  readonly tone: "failed" | "ordinary" | "quiet";
}

/** Upper case, as people write it: BMC, NVMe. */
const sourceWords: Readonly<Record<string, string>> = { bmc: "BMC", debt: "sanitization debt" };
const mediaWords: Readonly<Record<string, string>> = { nvme: "NVMe", ssd: "SSD", hdd: "HDD", usb: "USB" };

/** One row for each device: the missing first, then what people answered for, what is there, and what is left out. */
function storageRows({ known, missing, excluded, answered }: HostInventoryView): readonly StorageRow[] {
  const foundOf = (serial: string) => known.find((device) => device.serial === serial) ?? null;
  const there = known.filter(({ serial }) => !missing.some((device) => device.serial === serial));
  return [
    ...missing.map(({ serial, model, knownBy }): StorageRow => ({
      serial,
      model,
      found: foundOf(serial),
      status: `missing; known by ${knownBy}`,
      tone: "failed",
    })),
    ...answered.map(({ serial, model, words }): StorageRow => ({
      serial,
      model,
      found: null,
      status: words,
      tone: "quiet",
    })),
    ...there.map((found): StorageRow => ({
      serial: found.serial,
      model: found.model,
      found,
      tone: "ordinary",
      status: `known by ${found.sources.map((source) => sourceWords[source] ?? source).join(" and ")}`,
    })),
    ...excluded.map(({ serial, model, reason }): StorageRow => ({
      serial,
      model,
      found: null,
      status: `left out: ${reason}`,
      tone: "quiet",
    })),
  ];
}

function Storage({ inventory }: { inventory: HostInventoryView }) {
  const rows = storageRows(inventory);
  if (rows.length === 0) {
    return (
      <Empty title="No device list yet">
        The list is made when a reclamation plans its steps: the union of what BMC and agent report and what a
        standing debt names. A device that one of them does not see blocks the way to Ready.
      </Empty>
    );
  }
  return (
    <table className="t storage" aria-label="Storage devices">
      <thead>
        <tr>
          <th scope="col" className="wide-serial">
            Serial
          </th>
          <th scope="col" className="wide-serial">
            Model
          </th>
          <th scope="col">Slot</th>
          <th scope="col">Medium</th>
          <th scope="col" className="r">
            Size
          </th>
          <th scope="col" className="tail wide-serial">
            Status
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Device key={`${row.tone} ${row.serial} ${row.model}`} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Device({ row: { serial, model, found, status, tone } }: { row: StorageRow }) {
  const quiet = tone === "quiet" ? " n9" : "";
  return (
    <tr>
      <td data-m="a" className={`mono${tone === "failed" ? " b" : quiet}`}>
        {serial}
      </td>
      <td data-m="c" className={quiet.trim()}>
        {model}
      </td>
      <td className="n10">{found === null ? null : (found.slot ?? "–")}</td>
      <td className="n10">{found === null ? null : (mediaWords[found.media] ?? found.media)}</td>
      <td className="r" data-m="b">
        {found === null ? null : bytesWords(found.capacityBytes)}
      </td>
      <td data-m="w" className="n10 tail wrap">
        {tone === "failed" ? (
          <span className="st">
            <Mark tone="failed" label="" />
            <span className="tone" data-tone="failed">
              {status}
            </span>
          </span>
        ) : (
          status
        )}
      </td>
    </tr>
  );
}

/** A number of bytes in a unit that people read; anything else as it is. */
const partWords = (what: string, value: string) =>
  what.endsWith(" bytes") && !/\d/.test(what) ? bytesWords(value) : value;

function Parts({ inventory: { components }, hasSku }: { inventory: HostInventoryView; hasSku: boolean }) {
  if (components.length === 0) {
    return (
      <Empty title="Nothing to compare yet">
        {hasSku
          ? "The agent has not taken an inventory of this host."
          : "Without a SKU there is nothing to compare an inventory with."}
      </Empty>
    );
  }
  return (
    <table className="t" aria-label="Parts against the SKU">
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Required</th>
          <th scope="col">Found</th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        {components.map((row) => (
          <tr key={row.what}>
            <td data-m="a">
              {row.what
                .replace(/^nvme\b/, "NVMe drives")
                .replace(/\b\d+ bytes$/, (bytes) => bytesWords(bytes.replace(" bytes", "")))
                .replace(/ bytes$/, "")}
            </td>
            <td className="n10" data-m="c">
              {partWords(row.what, row.wanted)}
            </td>
            <td data-m="d">{partWords(row.what, row.found)}</td>
            <td data-m="b">
              <span className="st">
                <Mark tone={row.same ? "good" : "failed"} label="" />
                <span className={row.same ? "n10" : "tone"} data-tone="failed">
                  {row.same ? "same" : "differs"}
                </span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Found({ inventory: { found } }: { inventory: HostInventoryView }) {
  if (found.length === 0)
    return (
      <Empty title="No inventory yet">
        The BMC gives one when the host is verified, the agent each time that it starts.
      </Empty>
    );
  return found.map((source) => (
    <details key={source.source} className="found">
      <summary>
        <b className="b">
          {source.source === "agent" ? "Agent" : (sourceWords[source.source] ?? source.source)}
        </b>{" "}
        <span className="n10">
          boot epoch {source.bootEpoch}, <Age at={source.collectedAt} /> ago
          {source.leftOut.length === 0 ? "" : `; left out: ${source.leftOut.join(", ")}`}
        </span>
      </summary>
      <pre className="log" tabIndex={0} aria-label={`Inventory of ${source.source}`}>
        {JSON.stringify(source.body, null, 2)}
      </pre>
    </details>
  ));
}
