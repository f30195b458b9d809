import { Suspense } from "react";
import { preloadSettings } from "@/features/settings/lazy-sections";
import { lazyPart } from "@/lib/lazy-part";
import type { AdminSection } from "./admin-search";

type LazySection = Exclude<AdminSection, "projects">;

const PARTS: Record<LazySection, ReturnType<typeof lazyPart>> = {
  messages: lazyPart(() => import("@/features/chat/messages-section").then((module) => module.MessagesSection)),
  users: lazyPart(() => import("./users-page").then((module) => module.UsersPage)),
  activity: lazyPart(() => import("./activity-section").then((module) => module.ActivitySection)),
  inquiries: lazyPart(() => import("./inquiries-page").then((module) => module.InquiriesPage)),
  audit: lazyPart(() => import("./audit-page").then((module) => module.AuditPage)),
  "client-view": lazyPart(() => import("./client-view-section").then((module) => module.ClientViewSection)),
  settings: lazyPart(() => import("./admin-settings").then((module) => module.AdminSettings)),
};

/** Fetches a section's code before anybody enters it. */
export function preloadSection(section: AdminSection): void {
  if (section === "projects") return;
  PARTS[section].preload();
  if (section === "settings") preloadSettings();
}

/** The same for all of them. */
export function preloadSections(): void {
  for (const { preload } of Object.values(PARTS)) preload();
  preloadSettings();
}

/** Any section but the first, each in a file of its own. Until its code has come, nothing stands where its heading will. */
export function LazySection({ section }: { section: LazySection }) {
  const { Part } = PARTS[section];
  return (
    // Another boundary for each: a section that is on its way must not keep the heading of the one before.
    <Suspense key={section} fallback={<div aria-busy="true" className="h-[30px]" />}>
      <Part />
    </Suspense>
  );
}
