"use client";
// The text of a list's search field; the URL follows once typing settles.
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";

const settleMs = 200;

export function useTyped(
  q: string,
  addressOf: (query: { readonly q: string }) => string,
): [typed: string, asked: string, type: (text: string) => void, apply: () => void] {
  const router = useRouter();
  const [typed, setTyped] = useState(q);
  const [asked, setAsked] = useState(q);
  useEffect(() => {
    if (typed.trim() === asked) return;
    const timer = setTimeout(() => setAsked(typed.trim()), settleMs);
    return () => clearTimeout(timer);
  }, [typed, asked]);
  useEffect(() => {
    if (asked !== q) router.replace(addressOf({ q: asked }), { scroll: false });
  }, [asked, q, router, addressOf]);
  return [typed, asked, setTyped, () => setAsked(typed.trim())];
}
