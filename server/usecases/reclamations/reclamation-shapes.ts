// What a person reads about reclamations of many hosts.
import type { ReclamationHead } from "@/server/usecases/hosts/host-shapes";

export interface ReclamationRow extends ReclamationHead {
  readonly hostId: string;
  /** The serial number of a host that is gone. */
  readonly hostName: string;
}

export interface ReclamationList {
  readonly rows: readonly ReclamationRow[];
  readonly nextCursor: string | null;
}
