"use client";
// Adds an agent image as the candidate of a site.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState, type FormEvent } from "react";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialogs/dialog";
import { useSay } from "@/components/ui/toast";
import type { SiteImages } from "@/server/surfaces/trpc/types";
import { rolloutFrom, stageFault } from "@/components/agent-images/next-stage";

interface AddImageProps {
  readonly site: SiteImages;
  /** Why this person may not. */
  readonly whyNot: string | undefined;
}

export function AddImage({ site, whyNot }: AddImageProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button small disabledReason={whyNot} onClick={() => setOpen(true)}>
        Add an image…
      </Button>
      {open ? <AddDialog site={site} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const fields = [
  { name: "version", words: "Version", hint: "shown on hosts and in brakes; unique at a site" },
  { name: "url", words: "Address", hint: "the folder with vmlinuz and initrd.img" },
  {
    name: "sha256",
    words: "SHA-256 of initrd.img, if known",
    hint: "added to the kernel command line, which measured boot records",
  },
  { name: "hosts", words: "Initial rollout size", hint: "the next hosts that boot" },
] as const;
type Texts = Readonly<Record<(typeof fields)[number]["name"], string>>;

function missingOf({ version, url, sha256, hosts }: Texts): string | undefined {
  if (version.trim() === "") return "Enter a version";
  if (url.trim() === "") return "Enter an address";
  if (sha256.trim() !== "" && !/^[0-9a-f]{64}$/i.test(sha256.trim()))
    return "A SHA-256 has 64 hexadecimal digits";
  return rolloutFrom({ stage: "few", text: hosts }) === null ? stageFault("few") : undefined;
}

function AddDialog({ site, onClose }: { readonly site: SiteImages; readonly onClose: () => void }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const say = useSay();
  const ids = useId();
  const [signed, setSigned] = useState(false);
  const [texts, setTexts] = useState<Texts>({ version: "", url: "", sha256: "", hosts: "5" });
  const add = useMutation(
    trpc.images.add.mutationOptions({
      onSuccess: async () => {
        say(
          `Image ${texts.version.trim()} goes to the next ${texts.hosts.trim()} hosts of site ${site.site} that boot.`,
        );
        onClose();
        await client.invalidateQueries({ queryKey: trpc.images.pathKey() });
      },
    }),
  );
  const missing = missingOf(texts);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing === undefined && !add.isPending)
      add.mutate({
        siteId: site.siteId,
        version: texts.version.trim(),
        url: texts.url.trim(),
        sha256: texts.sha256.trim() === "" ? null : texts.sha256.trim(),
        signed,
        hosts: Number(texts.hosts),
      });
  };
  return (
    <Dialog open onClose={onClose} title={`Add an agent image to site ${site.site}`}>
      <form onSubmit={submit}>
        <p>
          It goes to a few hosts at their next boot. All others boot the current image until somebody rolls it
          out further.
        </p>
        {fields.map(({ name, words, hint }) => (
          <div className="field" key={name}>
            <label htmlFor={`${ids}-${name}`}>
              {words} <span className="text-quiet">{hint}</span>
            </label>
            <div className={name === "hosts" ? "input short" : "input"}>
              <input
                id={`${ids}-${name}`}
                className={name === "hosts" ? undefined : "mono"}
                value={texts[name]}
                onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
                autoComplete="off"
                spellCheck={false}
              />
            </div>
          </div>
        ))}
        <div className="field">
          <label htmlFor={`${ids}-signed`}>
            <input
              id={`${ids}-signed`}
              className="check"
              type="checkbox"
              checked={signed}
              onChange={(event) => setSigned(event.target.checked)}
            />{" "}
            Signed{" "}
            <span className="text-quiet">
              hosts check vmlinuz.sig and initrd.img.sig and refuse the image if they do not match
            </span>
          </label>
        </div>
        {add.isError ? (
          <div className="error">
            <ProblemNotice error={add.error} before="It was not added." />
          </div>
        ) : null}
        <div className="acts">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" disabledReason={missing} busy={add.isPending}>
            Add the image
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
