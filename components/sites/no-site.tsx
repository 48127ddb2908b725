"use client";
// Shown in place of settings while there is no site.
import { Empty } from "@/components/ui/empty";
import { CreateSite } from "@/components/sites/create-site";

export function NoSite() {
  return (
    <Empty title="No site yet" act={<CreateSite />}>
      A site holds hosts and has a policy. Create one here, or apply a document with{" "}
      <code>reclaim site apply --create</code>.
    </Empty>
  );
}
