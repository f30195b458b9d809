import type { ComponentType } from "react";
import { FIRM, HERO, NOT_FOUND } from "./content";
import { LandingPage } from "./landing-page";
import { PrivacyPage, TermsPage } from "./legal-page";
import { NotFoundPage } from "./not-found-page";

/** The file name of a public page below `dist/pages`, and its `data-page`. */
export type PublicPageName = "index" | "terms" | "privacy" | "404";

type PublicPage = { path: string | null; title: string; description: string; Page: ComponentType };

/** Every page that is prerendered and needs no account. `path` is null for the answer to unknown addresses. */
export const PUBLIC_PAGES: Record<PublicPageName, PublicPage> = {
  index: { path: "/", title: `${FIRM.name}: ${HERO.title}`, description: HERO.lead, Page: LandingPage },
  terms: {
    path: "/terms",
    title: `Terms · ${FIRM.product}`,
    description: "What holds between you and us when you use Sangam.",
    Page: TermsPage,
  },
  privacy: {
    path: "/privacy",
    title: `Privacy · ${FIRM.product}`,
    description: "Which data Sangam keeps about you, why, and who sees it.",
    Page: PrivacyPage,
  },
  "404": { path: null, title: `${NOT_FOUND.title} · ${FIRM.product}`, description: NOT_FOUND.lead, Page: NotFoundPage },
};

/** The page that a prerendered document says it is, else the one at the path, else the not-found page. */
export function findPublicPage(name: string | undefined, path: string): PublicPage {
  for (const [key, page] of Object.entries(PUBLIC_PAGES)) {
    if (name ? key === name : page.path === path) return page;
  }
  return PUBLIC_PAGES["404"];
}
