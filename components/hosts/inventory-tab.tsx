"use client";
// The tab that sets what is known of a host beside what was found in it.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { bytesWords } from "@/components/ui/bytes";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { Age } from "@/components/ui/time";
import type { HostDetail, HostInventoryView } from "@/server/surfaces/trpc/types";

const refreshMs = 3000;

export function InventoryTab({ host }: { host: HostDetail }) {
  const trpc = useTRPC();
  const { data: inventory, refetch } = useSuspenseQuery(trpc.host.inventory.queryOptions({ hostId: host.id }));
  useLiveRefresh(refetch, { hostId: host.id, everyMs: refreshMs });
  return (
    <>
      <div className="sec">
        <h2>Storage</h2>
        <span className="sum cut">what the running or last reclamation knows of, frozen when its plan was made</span>
      </div>
      <Inspection inspection={host.inspection} />
      <Storage inventory={inventory} />
      <div className="sec">
        <h2>Parts</h2>
        <span className="sum cut">{host.sku === null ? "no SKU is assigned" : `what SKU ${host.sku} wants, and what the agent found`}</span>
      </div>
      <Parts inventory={inventory} hasSku={host.sku !== null} />
      <div className="sec">
        <h2>Found</h2>
        <span className="sum cut">the newest inventory of each source, word for word</span>
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
        <>The BMC&apos;s inventory is being read, since <Age at={askedAt} />.</>
      ) : readAt === null ? (
        <>The BMC&apos;s inventory could not be read: {message}. The last good one stays.</>
      ) : (
        <>The BMC&apos;s inventory was read <Age at={readAt} /> ago, on request; the agent&apos;s follows with its next boot.</>
      )}
    </p>
  );
}

function Storage({ inventory: { known, missing, excluded, answered } }: { inventory: HostInventoryView }) {
  if (known.length + missing.length + excluded.length + answered.length === 0) {
    return <Empty title="No device list yet">The list is made when a reclamation plans its steps: the union of what BMC and agent report and what a standing debt names. A device that one of them does not see blocks the way to Ready.</Empty>;
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
            Standing
          </th>
        </tr>
      </thead>
      <tbody>
        {missing.map((device) => (
          <tr key={`missing ${device.serial}`}>
            <td data-m="a" className="mono b">
              {device.serial}
            </td>
            <td data-m="d">{device.model}</td>
            <td />
            <td />
            <td />
            <td data-m="c" className="tail">
              <span className="st">
                <Mark tone="failed" label="" />
                <span className="tone" data-tone="failed">
                  missing; known by {device.knownBy}
                </span>
              </span>
            </td>
          </tr>
        ))}
        {answered.map((device) => (
          <tr key={`answered ${device.serial}`}>
            <td data-m="a" className="mono n9">
              {device.serial}
            </td>
            <td data-m="d" className="n9">
              {device.model}
            </td>
            <td />
            <td />
            <td />
            <td data-m="c" className="n10 tail">
              {device.words}
            </td>
          </tr>
        ))}
        {known.map((device) => (
          <tr key={`${device.serial} ${device.model}`}>
            <td data-m="a" className="mono">
              {device.serial}
            </td>
            <td data-m="d">{device.model}</td>
            <td className="n10">{device.slot ?? "–"}</td>
            <td className="n10">{device.media}</td>
            <td className="r" data-m="b">
              {bytesWords(device.capacityBytes)}
            </td>
            <td data-m="c" className="n10 tail">
              known by {device.sources.join(" and ")}
            </td>
          </tr>
        ))}
        {excluded.map((device) => (
          <tr key={`excluded ${device.serial}`}>
            <td data-m="a" className="mono n9">
              {device.serial}
            </td>
            <td data-m="d" className="n9">
              {device.model}
            </td>
            <td />
            <td />
            <td />
            <td data-m="c" className="n10 tail">
              left out: {device.reason}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A number of bytes in a unit that people read; anything else as it is. */
const partWords = (what: string, value: string) => (what.endsWith(" bytes") && !/\d/.test(what) ? bytesWords(value) : value);

function Parts({ inventory: { components }, hasSku }: { inventory: HostInventoryView; hasSku: boolean }) {
  if (components.length === 0) {
    return <Empty title="Nothing to compare yet">{hasSku ? "The agent has not taken an inventory of this host." : "Without a SKU there is nothing to compare an inventory with."}</Empty>;
  }
  return (
    <table className="t" aria-label="Parts against the SKU">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Wanted</th>
          <th scope="col">Found</th>
          <th scope="col">Same</th>
        </tr>
      </thead>
      <tbody>
        {components.map((row) => (
          <tr key={row.what}>
            <td data-m="a">{row.what.replace(/\b\d+ bytes$/, (bytes) => bytesWords(bytes.replace(" bytes", ""))).replace(/ bytes$/, "")}</td>
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
  if (found.length === 0) return <Empty title="No inventory yet">The BMC gives one when the host is verified, the agent each time that it starts.</Empty>;
  return found.map((source) => (
    <details key={source.source} className="found">
      <summary>
        <b className="b">{source.source}</b>{" "}
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
