// What a booting host gets: our image and a token while we wait for it, otherwise an answer that reveals nothing (docs/adr/0020-a-boot-is-proven.md).
import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { z } from "zod";
import { plainAddress } from "@/server/agents/plain-address";
import { isProvisioningAddress } from "@/server/agents/boot/provisioning-networks";
import { bootFromDisk, imageScript, waitScript, type BootImage } from "@/server/agents/boot/scripts";
import { granted, refused, type AuditRefusal, type Outcome } from "@/server/agents/refusal";
import type { RefusalCode } from "@/server/domain/problems";
import { isOwnUuid, ownUuid } from "@/server/domain/hosts/inventory/system-uuid";
import { newToken, tokenHash } from "@/server/domain/access/tokens";
import {
  dropToldNames,
  findBootWindow,
  giveBootToken,
  noteFirmwareUuid,
  noteUnorderedBoot,
  type BootTokenVerdict,
  type BootWindowRow,
} from "@/server/db/hot/agent/boot";
import { noteBootImage, takeImagePlace } from "@/server/db/hot/agent/image";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import type { SecurityAttempt } from "@/server/db/security-events";
import { imageKind } from "@/server/domain/cleaning/images/agent-image";
import { chooseImage } from "@/server/domain/cleaning/images/image-rollout";

export interface BootServerOptions {
  readonly pool: Pool;
  readonly secrets: SecretBox;
  /** Where hosts reach `/boot`, and their agents `/agent`. */
  readonly machineUrl: string;
  /** Where Ironic's agent reaches Ironic's API. */
  readonly baseUrl: string;
  /** For a site without an image of its own. */
  readonly bootImage: BootImage;
  readonly audit: AuditRefusal;
  /** Tells people what was tried. Never throws, and is not waited for: how long it takes must not show in the answer. */
  readonly report: (attempt: SecurityAttempt) => void;
  /** Called after a signal was stored, so that the host is looked at now. */
  readonly wake: () => void;
  /** How long, in ms, a request that comes before its restart is confirmed is held. */
  readonly patienceMs: number;
}

interface BootTarget {
  readonly row: BootWindowRow;
  /** Whether the request comes from one of the site's provisioning networks. */
  readonly provisioning: boolean;
}

/** The host is waited for, but its restart is not confirmed yet. */
const isEarly = ({ row, provisioning }: BootTarget): boolean =>
  provisioning && row.open && !row.consumed && !row.reset_done && !row.contested;

/** Interval between checks whether the restart is confirmed. */
const lookMs = 250;

const candidateImage = z
  .object({
    id: z.string(),
    url: z.string(),
    sha256: z.string().nullable(),
    signed: z.boolean(),
    kind: imageKind,
    braked: z.boolean(),
    had: z.enum(["cameUp", "didNot", "under way"]).nullable(),
    rollout: z.discriminatedUnion("stage", [
      z.object({ stage: z.literal("few"), hosts: z.number() }),
      z.object({ stage: z.literal("share"), percent: z.number() }),
      z.object({ stage: z.literal("all") }),
    ]),
  })
  .nullable();

/** Who asks; the UUID takes precedence over the MAC address. */
export interface BootQuery {
  readonly systemUuid: string | null;
  readonly mac: string | null;
  /** Remote address of the connection. */
  readonly address: string;
}

/** What Ironic's agent reports of its host. */
export interface GuestQuery {
  readonly macs: readonly string[];
  /** As an inspection returned it; null: none did. */
  readonly hostId: string | null;
  /** Remote address of the connection. */
  readonly address: string;
}

interface GuestToken {
  readonly hostId: string;
  readonly token: string;
}

/** A token, or why there is none; null: no boot of this host is waited for. */
export type TokenAnswer = Outcome<string> | null;

const refusalOf = {
  used: "bootTokenUsed",
  early: "bootNotRestarted",
  elsewhere: "addressChanged",
  contested: "bootContested",
} as const satisfies Record<Exclude<BootTokenVerdict, "given">, RefusalCode>;

export class BootServer {
  readonly #options: BootServerOptions;

  constructor(options: BootServerOptions) {
    this.#options = options;
  }

  /**
   * Returns an iPXE script; null: the request counts for nothing. Once an agent has registered, a restarted host boots from its disk, except while it
   * is held: then it is told to wait, and the controller checks whether it restarted. A host that asks before its restart is confirmed is answered when
   * it is or, if that takes longer, told to ask again. From outside the provisioning networks every machine is answered like an unknown one.
   */
  async script(query: BootQuery): Promise<string | null> {
    const { machineUrl, baseUrl } = this.#options;
    const self = `${machineUrl}/boot/ipxe?${new URLSearchParams({ ...(query.systemUuid === null ? {} : { uuid: query.systemUuid }), ...(query.mac === null ? {} : { mac: query.mac }) }).toString()}`;
    const found = this.#inside(await this.#findRestarted(query), query, "GET /boot/ipxe");
    // safety: boot: a host that is held under a UUID of many boards waits
    if (found === undefined && (await this.#isHeldByPlaceholder(query))) return waitScript(self);
    if (found === undefined) return null;
    const { row } = found;
    // safety: boot: a machine that several hosts answer to boots nothing
    if (this.#isSeveral(row, query, "GET /boot/ipxe")) return waitScript(self);
    // safety: boot: a boot that nobody ordered is told
    if (row.held && (!row.open || row.consumed)) await this.#unordered(row, query, "asked for a boot script");
    if (!row.open || row.consumed) return row.held ? waitScript(self) : bootFromDisk;
    if (row.contested) await this.#dropNames(row, query);
    if (!row.reset_done || row.contested) return waitScript(self);
    if (query.systemUuid !== null) await noteFirmwareUuid(this.#options.pool, row.host_id, query.systemUuid);
    const image = await this.#image(row, query);
    return imageScript(image, image.kind === "ironic" ? baseUrl : machineUrl, self);
  }

  /** The token of the open window, the same each time. Requests before the restart of that boot is done get none. */
  async token(query: BootQuery, requestId: string): Promise<TokenAnswer> {
    const found = this.#inside(await this.#find(query), query, "GET /boot/token");
    if (found === undefined) return null;
    const { row } = found;
    // safety: boot: a machine that several hosts answer to gets no token
    if (this.#isSeveral(row, query, "GET /boot/token")) return refused("ambiguousMachine");
    if (row.held && (!row.open || row.consumed)) await this.#unordered(row, query, "asked for a boot token");
    if (!row.open) return null;
    const { secrets, pool } = this.#options;
    // Sealed rather than only hashed, because every request in a window gets the same token.
    const place = `boot_window.token_box:${row.host_id}:${row.boot_epoch}`;
    const token = newToken();
    const answer = await giveBootToken(pool, {
      host_id: row.host_id,
      boot_epoch: row.boot_epoch,
      token_box: Buffer.from(secrets.seal(token, place)).toString("hex"),
      token: tokenHash(token).toString("hex"),
      address: plainAddress(query.address),
    });
    if (answer === undefined) return null;
    if (answer.verdict === "given")
      return answer.token_box === null ? null : granted(secrets.open(answer.token_box, place));
    const code = refusalOf[answer.verdict];
    if (answer.verdict === "early" || answer.verdict === "elsewhere") this.#options.wake();
    if (answer.verdict === "contested" || answer.verdict === "elsewhere") await this.#dropNames(row, query);
    await this.#options.audit({
      action: "boot.token",
      code,
      actor: { kind: "agent", id: `${row.host_id}/${row.boot_epoch}` },
      hostId: row.host_id,
      tenantId: answer.tenant_id,
      requestId,
      address: query.address,
      facts: {
        verdict: answer.verdict,
        bootEpoch: row.boot_epoch,
        ...(answer.verdict === "elsewhere"
          ? { from: query.address, boundTo: answer.bound_to ?? "none" }
          : {}),
      },
    });
    return refused(code);
  }

  /**
   * For Ironic's agent: the host with one of these MAC addresses, and the token of its window. The same rules apply, and only in a boot that was given
   * an image with that agent. Null: nothing is revealed, whatever the reason.
   */
  async guestToken(query: GuestQuery, requestId: string): Promise<GuestToken | null> {
    const found = await this.#findGuest(query);
    if (found === null) return null;
    const answer = await this.token({ systemUuid: null, mac: found.mac, address: query.address }, requestId);
    return answer?.ok === true ? { hostId: found.hostId, token: answer.value } : null;
  }

  /** The host that `guestToken` would return, without its token. */
  async guestHost(query: GuestQuery): Promise<string | null> {
    const found = await this.#findGuest(query);
    return found === null || !found.restarted ? null : found.hostId;
  }

  async #findGuest({ macs, hostId, address }: GuestQuery) {
    const asked = await Promise.all(
      macs.map(async (mac) => ({ mac, found: await this.#find({ systemUuid: null, mac, address }) })),
    );
    const known = asked.flatMap(({ mac, found }) => (found === undefined ? [] : [{ mac, ...found }]));
    const [first] = known;
    if (first === undefined || known.some(({ row }) => row.host_id !== first.row.host_id)) return null;
    const { row, provisioning, mac } = first;
    // safety: guest: no token for a machine that several hosts answer to
    if (known.some((each) => each.row.several !== null)) return null;
    if (hostId !== null && hostId !== row.host_id) return null;
    // safety: guest: no token outside the provisioning networks
    if (!provisioning) return null;
    // safety: guest: no token without an open boot window
    if (!row.open || row.consumed) return null;
    // safety: guest: no token in a boot of another image
    if (row.image_kind !== "ironic") return null;
    return { hostId: row.host_id, mac, restarted: row.reset_done && !row.contested };
  }

  /** Drops a request from outside the provisioning networks: it counts for nothing, and people are told that it came. */
  #inside(found: BootTarget | undefined, { address }: BootQuery, path: string): BootTarget | undefined {
    if (found === undefined) return undefined;
    // safety: boot: a request from outside counts for nothing
    if (!found.provisioning) {
      const tried = found.row.held ? "to boot a host that is held" : "to boot a host that is waited for";
      this.#options.report({
        kind: "bootRequestFromOutside",
        hostId: found.row.host_id,
        address,
        tried,
        path,
      });
      return undefined;
    }
    return found;
  }

  /** Tells people of each host that the machine may be. */
  #isSeveral({ several }: BootWindowRow, { systemUuid, mac, address }: BootQuery, path: string): boolean {
    const names = [systemUuid === null ? [] : `UUID ${systemUuid}`, mac === null ? [] : `MAC ${mac}`].flat();
    const tried = `asked to boot as ${names.join(" and ")}, which are of ${several?.map(({ name }) => name).join(" and ")}`;
    for (const { id } of several ?? [])
      this.#options.report({ kind: "ambiguousMachine", hostId: id, address, tried, path });
    return several !== null;
  }

  async #dropNames({ host_id, boot_epoch }: BootWindowRow, { address }: BootQuery): Promise<void> {
    await dropToldNames(this.#options.pool, host_id, boot_epoch, plainAddress(address));
  }

  async #unordered(
    { host_id, boot_epoch }: BootWindowRow,
    { address }: BootQuery,
    what: string,
  ): Promise<void> {
    const [told] = await noteUnorderedBoot(
      this.#options.pool,
      host_id,
      boot_epoch,
      `the host ${what} from ${address} although no boot was ordered`,
    );
    if (told !== undefined) this.#options.wake();
  }

  /** Chooses the image for this boot and records it before it is sent, so that failures can be attributed to the image. */
  async #image(open: BootWindowRow, query: BootQuery): Promise<BootImage> {
    const { pool, bootImage } = this.#options;
    const candidate = candidateImage.parse(open.candidate_image);
    const choice = chooseImage({ id: open.host_id, had: candidate?.had ?? null }, candidate);
    if (candidate !== null && choice === "ifRoom") {
      if ((await takeImagePlace(pool, open.host_id, open.boot_epoch, candidate.id)).length > 0)
        return candidate;
      // Another request of the same boot may have taken the place.
      if ((await this.#find(query))?.row.image_id === candidate.id) return candidate;
    }
    const given = candidate !== null && choice === "candidate" ? candidate : open.current_image;
    if (open.image_id !== (given?.id ?? null))
      await noteBootImage(pool, open.host_id, open.boot_epoch, given?.id ?? null);
    return given ?? bootImage;
  }

  /** Waits briefly for an expected boot's restart to be confirmed: a host is often faster than the reading that shows it. */
  async #findRestarted(query: BootQuery): Promise<BootTarget | undefined> {
    let found = await this.#find(query);
    for (
      let leftMs = this.#options.patienceMs;
      leftMs > 0 && found !== undefined && isEarly(found);
      leftMs -= lookMs
    ) {
      await pause(Math.min(lookMs, leftMs));
      found = await this.#find(query);
    }
    return found;
  }

  async #find(query: BootQuery): Promise<BootTarget | undefined> {
    const uuid = ownUuid(query.systemUuid ?? "");
    const asked = { system_uuid: uuid === "" ? null : uuid, mac: query.mac };
    const row = await findBootWindow(this.#options.pool, asked);
    if (row === undefined) return undefined;
    const sites = row.several?.map(({ networks }) => networks) ?? [row.provisioning_networks];
    return { row, provisioning: sites.some((networks) => isProvisioningAddress(query.address, networks)) };
  }

  /** A host of 0.2.0 may be known by a UUID that many boards have, which counts as none now: while it is held, no machine with that UUID goes on to its disk. */
  async #isHeldByPlaceholder({ systemUuid, address }: BootQuery): Promise<boolean> {
    if (systemUuid === null || isOwnUuid(systemUuid)) return false;
    const row = await findBootWindow(this.#options.pool, { system_uuid: systemUuid, mac: null });
    return row !== undefined && row.held && isProvisioningAddress(address, row.provisioning_networks);
  }
}
