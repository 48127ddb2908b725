// The docs of this version. Everybody who is signed in may read them.
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DocPageView } from "@/components/help/doc-page";
import { headingsOf } from "@/server/domain/help/docs";
import { consoleServer } from "@/server/surfaces/console/console-port";
import { requireMe } from "@/app/server-api";

const readDoc = async (params: HelpProps["params"]) => consoleServer().readDoc((await params).page ?? []);

interface HelpProps {
  params: Promise<{ page?: string[] }>;
}

export async function generateMetadata({ params }: HelpProps): Promise<Metadata> {
  const doc = await readDoc(params);
  return { title: doc === null ? "Help" : (headingsOf(doc.text)[0]?.words ?? "Help") };
}

export default async function Page({ params }: HelpProps) {
  await requireMe();
  const doc = await readDoc(params);
  if (doc === null) notFound();
  return <DocPageView page={doc.page} text={doc.text} />;
}
