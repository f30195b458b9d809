import type { PublicPageName } from "@server/contract/paths";
import type { ComponentType } from "react";
import { CAREERS } from "./content/careers";
import { BLOGS, FIRM, NOT_FOUND } from "./content/firm";
import { KARTAVYA } from "./content/kartavya";
import { HERO } from "./content/landing";
import type { PublicPageProps } from "./public-layout";

type PublicPage = {
  title: string;
  description: string;
  /** The picture that goes with a link to it: `public/og-<card>.png`. */
  card: CardName;
  /** Each page is its own chunk. */
  load: () => Promise<ComponentType<PublicPageProps>>;
};

/** Preview images for links, made by `npm run assets`. */
export const CARDS = {
  sangam: { title: HERO.title, about: FIRM.name },
  careers: { title: CAREERS.title, about: `Careers at ${FIRM.name}` },
  kartavya: { title: KARTAVYA.title, about: `${KARTAVYA.name}, by ${FIRM.name}` },
} as const;
export type CardName = keyof typeof CARDS;

/** Every page that is prerendered and needs no account. Where each lives: server/contract/paths.ts. */
export const PUBLIC_PAGES: Record<PublicPageName, PublicPage> = {
  index: {
    title: `${FIRM.name}: ${HERO.title}`,
    description: HERO.lead,
    card: "sangam",
    load: () => import("./landing-page").then((page) => page.LandingPage),
  },
  careers: {
    title: `Careers · ${FIRM.product}`,
    description: CAREERS.lead,
    card: "careers",
    load: () => import("./careers-page").then((page) => page.CareersPage),
  },
  kartavya: {
    title: `${KARTAVYA.name} · ${FIRM.product}`,
    description: KARTAVYA.lead,
    card: "kartavya",
    load: () => import("./kartavya-page").then((page) => page.KartavyaPage),
  },
  "privacy-policy-kartavya": {
    title: `Privacy policy, ${KARTAVYA.name} · ${FIRM.product}`,
    description: "What data the attendance app Kartavya keeps about you, why, and whom to ask.",
    card: "kartavya",
    load: () => import("./kartavya-policy-page").then((page) => page.KartavyaPolicyPage),
  },
  terms: {
    title: `Terms · ${FIRM.product}`,
    description: "The agreement between you and us when you use Sangam.",
    card: "sangam",
    load: () => import("./terms-page").then((page) => page.TermsPage),
  },
  privacy: {
    title: `Privacy · ${FIRM.product}`,
    description: "What data Sangam keeps about you, why, and who sees it.",
    card: "sangam",
    load: () => import("./privacy-page").then((page) => page.PrivacyPage),
  },
  blogs: {
    title: `${BLOGS.title} · ${FIRM.product}`,
    description: BLOGS.lead,
    card: "sangam",
    load: () => import("./blogs-page").then((page) => page.BlogsPage),
  },
  "404": {
    title: `${NOT_FOUND.title} · ${FIRM.product}`,
    description: NOT_FOUND.lead,
    card: "sangam",
    load: () => import("./not-found-page").then((page) => page.NotFoundPage),
  },
};
