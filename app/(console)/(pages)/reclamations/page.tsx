// Certificates of reclamations; for a tenant, its receipts.
import type { Metadata } from "next";
import { CertificatesPage } from "@/components/assurance/certificates/certificates-page";
import { certificatesQuery, parseFilter } from "@/components/assurance/certificates/certificates-query";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Reclamations" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("reclamations")) return <NoPermission title="Reclamations" me={me} />;
  await getQueryClient().fetchInfiniteQuery(
    certificatesQuery(serverTrpc(), parseFilter(toSearch(await searchParams))),
  );
  return (
    <Hydrate>
      <CertificatesPage />
    </Hydrate>
  );
}
