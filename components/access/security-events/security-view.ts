// What the URL of the *Security* page holds: the filter, and the event open in the panel.
import { findSecurityEventKind, type SecurityEventKind } from "@/server/domain/access/security-events/kinds";

export interface SecurityView {
  readonly kind: SecurityEventKind | null;
  /** By name. */
  readonly host: string;
  readonly address: string;
  /** Also those that somebody has acknowledged. */
  readonly all: boolean;
  /** Event id. */
  readonly open: string | null;
}

/** Values that the server would reject are left out. */
export function parseSecurityView(search: { get: (name: string) => string | null }): SecurityView {
  const text = (name: string) => (search.get(name) ?? "").trim().slice(0, 128);
  return {
    kind: findSecurityEventKind(text("kind")),
    host: text("host"),
    address: text("address"),
    all: search.get("show") === "all",
    open: search.get("open"),
  };
}

/** As the page's address and the CSV have it. */
export const searchOf = ({ kind, host, address, all }: SecurityView) => ({
  kind: kind ?? undefined,
  host,
  address,
  show: all ? "all" : undefined,
});

const perPage = 100;

/** The list's input, shared by the server's prefetch and the browser. */
export const listInput = ({ kind, host, address, all }: Omit<SecurityView, "open">) => ({
  kind: kind ?? undefined,
  host: host === "" ? undefined : host,
  address: address === "" ? undefined : address,
  open: !all,
  limit: perPage,
});
