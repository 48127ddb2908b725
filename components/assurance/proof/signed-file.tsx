"use client";
// The way from an instance, a drive, a host or a reclamation to its proof: its newest signed file, and its place on the proof desk.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { FileLinks } from "@/components/assurance/proof/return-cells";
import { useTRPC } from "@/components/trpc/trpc";
import { routes } from "@/server/domain/console/routes";

/** @param text what the proof desk finds it by: a serial number, name or id */
export function SignedFile({ text }: { readonly text: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.proof.search.queryOptions({ text, limit: 1 }));
  const [newest] = data?.rows ?? [];
  return (
    <span className="proof-files">
      {newest === undefined ? null : <FileLinks line={newest} />}
      <Link
        className="link"
        href={newest === undefined ? routes.proof({ text }) : routes.proof({ text, open: newest.id })}
        prefetch={false}
      >
        Proof
      </Link>
    </span>
  );
}
