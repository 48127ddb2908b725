// What a booting host gets: our image and a token while we wait for it, and otherwise the answer that tells nothing (design: agent.md, How a host boots it).
import type { Pool } from "pg";
import { z } from "zod";
import { isProvisioningAddress } from "@/server/agents/boot/provisioning-networks";
import { newToken, tokenHash } from "@/server/agents/tokens";
import { findBootWindow, giveBootToken, type BootWindowRow } from "@/server/db/hot/agent-boot";
import { noteBootImage, takeImagePlace } from "@/server/db/hot/agent-image";
import type { SecretBox } from "@/server/db/secret-box";
import { chooseImage } from "@/server/domain/cleaning/image-rollout";

export interface BootServerOptions {
  readonly pool: Pool;
  readonly secrets: SecretBox;
  /** Where the agent reports to. */
  readonly baseUrl: string;
  /** Where `vmlinuz` and `initrd.img` lie for a site that has no image of its own. */
  readonly bootImageUrl: string;
}

const candidateImage = z.object({
  id: z.string(), url: z.string(), braked: z.boolean(), had: z.enum(["cameUp", "didNot", "under way"]).nullable(),
  rollout: z.discriminatedUnion("stage", [z.object({ stage: z.literal("few"), hosts: z.number() }), z.object({ stage: z.literal("share"), percent: z.number() }), z.object({ stage: z.literal("all") })]),
}).nullable();

/** Who asks: the UUID decides when both are given. */
export interface BootQuery {
  readonly systemUuid: string | null;
  readonly mac: string | null;
  /** Of the connection. */
  readonly address: string;
}

/** The same for a host that is not ours, one that nobody waits for, and one that asks from elsewhere. */
const bootFromDisk = "#!ipxe\n# boot from disk\nexit 0\n";

export class BootServer {
  constructor(private readonly options: BootServerOptions) {}

  /** An iPXE script. Once an agent registered, a restart of the host leads to its disk. */
  async script(query: BootQuery): Promise<string> {
    const open = await this.#open(query);
    if (open === null || open.consumed) return bootFromDisk;
    const { baseUrl } = this.options;
    const url = await this.#imageUrl(open, query);
    return ["#!ipxe", `kernel ${url}/vmlinuz initrd=initrd.img reclaim.server=${baseUrl}`, `initrd ${url}/initrd.img`, "boot", ""].join("\n");
  }

  /** The token of the open window, the same each time; null when there is none. */
  async token(query: BootQuery): Promise<string | null> {
    const open = await this.#open(query);
    if (open === null) return null;
    const { secrets, pool } = this.options;
    // Kept sealed rather than only hashed, because every request of one window gets the same token.
    const place = `boot_window.token_box:${open.host_id}:${open.boot_epoch}`;
    if (open.token_box !== null) return secrets.open(open.token_box, place);
    const token = newToken();
    const given = await giveBootToken(pool, { host_id: open.host_id, boot_epoch: open.boot_epoch, token_box: Buffer.from(secrets.seal(token, place)).toString("hex"), token: tokenHash(token).toString("hex") });
    return given === undefined ? null : secrets.open(given.token_box, place);
  }

  /** Which image this boot gets: noted before it is given, so that what fails on it can be told by its name. */
  async #imageUrl(open: BootWindowRow, query: BootQuery): Promise<string> {
    const { pool, bootImageUrl } = this.options;
    const candidate = candidateImage.parse(open.candidate_image);
    const choice = chooseImage({ id: open.host_id, had: candidate?.had ?? null }, candidate);
    if (candidate !== null && choice === "ifRoom") {
      if ((await takeImagePlace(pool, open.host_id, open.boot_epoch, candidate.id)).length > 0) return candidate.url;
      // Another request of this very boot may have taken the place.
      if ((await this.#open(query))?.image_id === candidate.id) return candidate.url;
    }
    const given = candidate !== null && choice === "candidate" ? candidate : open.current_image;
    if (open.image_id !== (given?.id ?? null)) await noteBootImage(pool, open.host_id, open.boot_epoch, given?.id ?? null);
    return given?.url ?? bootImageUrl;
  }

  async #open(query: BootQuery): Promise<BootWindowRow | null> {
    const row = await findBootWindow(this.options.pool, { system_uuid: query.systemUuid, mac: query.mac });
    return row !== undefined && isProvisioningAddress(query.address, row.provisioning_networks) ? row : null;
  }
}
