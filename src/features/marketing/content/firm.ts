import { FIRM_NAME } from "@server/contract/labels";

/** Text about the firm that all pages share. */
export const FIRM = {
  product: "Sangam",
  name: FIRM_NAME,
  email: "hello@sangam.example",
  place: "Pune, India",
  reply: "We reply within 24 hours.",
  hours: "Mon-Fri 9 AM - 6 PM",
  line: "One place where we and our clients see the same work, and see the code move.",
} as const;

/** What the firm offers; `id` is the anchor of its card on the start page. Spec 1. */
export const SERVICES = [
  { id: "attendance-system", name: "Attendance system" },
  { id: "mobile-apps", name: "Mobile apps" },
  { id: "ai-solutions", name: "AI solutions" },
  { id: "consulting", name: "Consulting" },
] as const;

export type NavLink = { href: string; label: string };

/** The three lists behind buttons in the navigation. Decisions: "The firm's words". */
export const MENUS: readonly { label: string; links: readonly NavLink[] }[] = [
  {
    label: "Projects",
    links: [
      { href: "/kartavya", label: "Kartavya" },
      { href: "/#work", label: "Client work" },
    ],
  },
  { label: "Services", links: SERVICES.map(({ id, name }) => ({ href: `/#${id}`, label: name })) },
  {
    label: "Resources",
    links: [
      { href: "/careers", label: "Careers" },
      { href: "/blogs", label: "Blogs" },
      { href: "/privacy", label: "Privacy" },
    ],
  },
];

/** Links in the navigation, except on phones. */
export const NAV_LINKS: readonly NavLink[] = [
  { href: "/careers", label: "Careers" },
  { href: "/kartavya", label: "Kartavya" },
  { href: "/#about", label: "About Us" },
  { href: "/#goal", label: "Our Goal" },
];

export const CONTACT_LINK: NavLink = { href: "/#contact", label: "Contact us" };

/** Spec 1: the footer's company links. */
export const COMPANY_LINKS: readonly NavLink[] = [
  { href: "/#about", label: "About Us" },
  { href: "/careers", label: "Careers" },
  { href: "/blogs", label: "Blogs" },
  { href: "/#contact", label: "Contact" },
];

export const PRODUCT_LINKS: readonly NavLink[] = [
  { href: "/kartavya", label: "Kartavya" },
  { href: "/login", label: "Sign in" },
  { href: "/signup", label: "Create an account" },
];

export const LEGAL_LINKS: readonly NavLink[] = [
  { href: "/terms", label: "Terms" },
  { href: "/privacy", label: "Privacy" },
  { href: "/privacy-policy-kartavya", label: "Privacy, Kartavya" },
];

export const NOT_FOUND = {
  title: "This page does not exist",
  lead: "The address may be mistyped, or the page may have moved. Nothing is broken on your side.",
} as const;

export const BLOGS = {
  title: "Blogs",
  lead: "There are none yet. We are writing the first one the way we write software: a person reads it before you do.",
  meanwhile: "Until then, these pages show what we do:",
} as const;
