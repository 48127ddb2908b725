// One Redfish service with the systems of several machines. What is a machine's own has a path of its own; everything else is the first machine's.
import { z } from "zod";
import { parseJson } from "@/server/domain/json";
import { json, type BmcAnswer, type BmcRequest } from "@/server/simulator/bmc/answer";
import type { Bmc } from "@/server/simulator/bmc/bmc";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";

const reference = z.looseObject({ "@odata.id": z.string() });
const listing = z.looseObject({ Members: z.array(reference) });
const update = z.looseObject({ Targets: z.array(z.string()) });
const resource = z.looseObject({ Id: z.string() });

/** The last part of a path is the id of the resource. */
function withId(answer: BmcAnswer, id: string): BmcAnswer {
  const body = parseJson(resource, answer.body ?? "");
  return body === null ? answer : { ...answer, body: json({ ...body, Id: id }) };
}

/** A path in the machine's own tree, and in this service. */
interface Renamed {
  readonly inside: string;
  readonly outside: string;
}

interface Member {
  readonly bmc: Bmc;
  readonly system: string;
  readonly renamed: readonly Renamed[];
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

const lastPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The machine's system, chassis, firmware and tasks. */
function memberOf(bmc: Bmc): Member {
  const { system, poweredWith, places } = bmc.ownPlaces;
  const { tasks } = places;
  const id = bmc.host.blueprint.serial.toLowerCase();
  const renamed = [
    ...[system, ...poweredWith].map((inside) => ({ inside, outside: `${parentOf(inside)}/${id}` })),
    ...places.ownFirmware.map((inside) => ({
      inside,
      outside: `${parentOf(inside)}/${id}-${lastPart(inside)}`,
    })),
  ];
  return {
    bmc,
    system: `${parentOf(system)}/${id}`,
    renamed: tasks === null ? renamed : [...renamed, { inside: `${tasks}/`, outside: `${tasks}/${id}-` }],
  };
}

const leadsTo = (path: string, { outside }: Renamed): boolean =>
  path === outside || path.startsWith(`${outside}/`) || (outside.endsWith("-") && path.startsWith(outside));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Matches whole path segments only. */
const finder = ({ inside }: Renamed): RegExp =>
  new RegExp(`${escaped(inside)}${inside.endsWith("/") ? "" : '(?=["/?#]|$)'}`, "g");

export class SharedService {
  readonly #members: readonly Member[];
  readonly #lead: Member;

  constructor(bmcs: readonly Bmc[]) {
    this.#members = bmcs.map(memberOf);
    const [lead] = this.#members;
    if (lead === undefined) throw new Error("a service has at least one system");
    this.#lead = lead;
    for (const bmc of bmcs) bmc.joinOf(lead.bmc);
  }

  get first(): SimulatedHost {
    return this.#lead.bmc.host;
  }

  systemOf(host: SimulatedHost): string | null {
    return this.#members.find(({ bmc }) => bmc.host === host)?.system ?? null;
  }

  bmcOf(path: string): Bmc {
    return this.#memberAt(path).bmc;
  }

  answer(request: BmcRequest): BmcAnswer {
    return this.#update(request) ?? this.#answer(this.#memberAt(request.path), request);
  }

  /** An update goes to the machine whose firmware it names. */
  #update(request: BmcRequest): BmcAnswer | null {
    if (request.method !== "POST" || request.path !== this.#lead.bmc.ownPlaces.places.simpleUpdate)
      return null;
    const given = parseJson(update, request.body);
    const [target = ""] = given?.Targets ?? [];
    const member = this.#memberAt(target);
    const place = member.renamed.find(({ outside }) => outside === target);
    const body = json({ ...given, Targets: [place?.inside ?? target] });
    return given === null ? null : this.#answer(member, { ...request, body });
  }

  #answer(member: Member, request: BmcRequest): BmcAnswer {
    const place = member.renamed.find((renamed) => leadsTo(request.path, renamed));
    const path = place === undefined ? request.path : request.path.replace(place.outside, place.inside);
    const found = this.#outward(member, member.bmc.answer({ ...request, path }));
    const list = path.replace(/\/+$/, "");
    const isFirmware = member.bmc.ownPlaces.places.ownFirmware.includes(list);
    const answer = place !== undefined && isFirmware ? withId(found, lastPart(place.outside)) : found;
    return request.method === "GET" && answer.status === 200 ? this.#listed(list, answer) : answer;
  }

  #memberAt(path: string): Member {
    return this.#members.find(({ renamed }) => renamed.some((place) => leadsTo(path, place))) ?? this.#lead;
  }

  #outward({ renamed }: Member, { status, headers, body }: BmcAnswer): BmcAnswer {
    const out = (text: string) =>
      renamed.reduce((changed, place) => changed.replace(finder(place), place.outside), text);
    return {
      status,
      ...(headers === undefined
        ? {}
        : {
            headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, out(value)])),
          }),
      ...(body === undefined ? {} : { body: out(body) }),
    };
  }

  /** The lists of systems, chassis and firmware contain those of all machines. */
  #listed(path: string, answer: BmcAnswer): BmcAnswer {
    const paths = this.#members.flatMap(({ renamed }) =>
      renamed.flatMap(({ outside }) =>
        parentOf(outside) === path && !outside.endsWith("-") ? [outside] : [],
      ),
    );
    const body = paths.length === 0 ? null : parseJson(listing, answer.body ?? "");
    if (body === null) return answer;
    const all = new Set([...body.Members.map((member) => member["@odata.id"]), ...paths]);
    const members = [...all].map((member) => ({ "@odata.id": member }));
    return { ...answer, body: json({ ...body, Members: members, "Members@odata.count": members.length }) };
  }
}
