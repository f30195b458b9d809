import { type ComponentType, lazy, Suspense } from "react";
import type { AdminSection } from "./admin-search";

type LazySection = Exclude<AdminSection, "projects">;

const LOADERS: Record<LazySection, () => Promise<{ default: ComponentType }>> = {
  messages: () => import("./messages-section").then(({ MessagesSection }) => ({ default: MessagesSection })),
  users: () => import("./users-page").then(({ UsersPage }) => ({ default: UsersPage })),
  activity: () => import("./activity-section").then(({ ActivitySection }) => ({ default: ActivitySection })),
  inquiries: () => import("./inquiries-page").then(({ InquiriesPage }) => ({ default: InquiriesPage })),
  audit: () => import("./audit-page").then(({ AuditPage }) => ({ default: AuditPage })),
  settings: () => import("./admin-settings").then(({ AdminSettings }) => ({ default: AdminSettings })),
};

const SECTIONS: Record<LazySection, ComponentType> = {
  messages: lazy(LOADERS.messages),
  users: lazy(LOADERS.users),
  activity: lazy(LOADERS.activity),
  inquiries: lazy(LOADERS.inquiries),
  audit: lazy(LOADERS.audit),
  settings: lazy(LOADERS.settings),
};

/** Fetches a section's code before anybody enters it. */
export function preloadSection(section: AdminSection): void {
  if (section === "projects") return;
  // A failure here is told when the section is entered.
  LOADERS[section]().catch(() => undefined);
}

/** Any section but the first, each in a file of its own. Until its code has come, nothing stands where its heading will. */
export function LazySection({ section }: { section: LazySection }) {
  const Section = SECTIONS[section];
  return (
    // Another boundary for each: a section that is on its way must not keep the heading of the one before.
    <Suspense key={section} fallback={<div aria-busy="true" className="h-[30px]" />}>
      <Section />
    </Suspense>
  );
}
