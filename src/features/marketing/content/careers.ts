import type { Programme } from "@db/enums";
import { PROGRAMME_LABELS } from "@server/contract/messages/inquiries";

/** The text of /careers and of the brochure. Figures and prices: spec 9. */
export const CAREERS = {
  title: "Learn it by shipping it.",
  lead: "Training and internships at a firm with real work to do. You write code that goes live, and someone reviews every line with you.",
} as const;

export const STATS = [
  { figure: "500+", caption: "students trained" },
  { figure: "95%", caption: "placement rate" },
  { figure: "10+", caption: "partner companies" },
] as const;

export const PROGRAMMES_TITLE = "Programmes";

interface ProgrammeText {
  /** What the application form calls it. */
  key: Programme;
  name: string;
  short: string;
  price: string;
  per: string;
  text: string;
  more: readonly string[];
}

export const PROGRAMMES = [
  {
    key: "training",
    name: PROGRAMME_LABELS.training,
    short: "Training",
    price: "3,000 rupees",
    per: "per 1 month",
    text: "From the first function to a small product of your own, in class and at the keyboard.",
    more: [
      "40 classes in the course of your choice",
      "A written review of every exercise",
      "A certificate that names what you built, not the hours you sat",
      "For beginners: bring a laptop and two hours a day",
    ],
  },
  {
    key: "free-internship",
    name: PROGRAMME_LABELS["free-internship"],
    short: "Free internship",
    price: "Free",
    per: "for students",
    text: "Work with the team on one feature, from its first sketch to its first user.",
    more: [
      "One feature, one mentor, one release date",
      "Hours that fit around lectures and exams",
      "Your name in the repository's history",
      "A reference that future employers can call",
    ],
  },
  {
    key: "paid-internship",
    name: PROGRAMME_LABELS["paid-internship"],
    short: "Paid internship",
    price: "8,000 rupees",
    per: "per month",
    text: "A seat on the team for people who can already build, on work a client is waiting for.",
    more: [
      "Reviewed client work from the first week",
      "Your own mentor, and an hour together every week",
      "Stand-ups, estimates and the on-call rota, like everyone here",
      "First in line when a position opens",
    ],
  },
] as const satisfies readonly ProgrammeText[];

export const CURRICULUM = {
  title: "Curriculum",
  lead: "Four courses. Each has 40 classes and ends in projects that run somewhere other than your laptop.",
  classes: "40 classes",
  courses: [
    {
      key: "web",
      name: "Web",
      projects: "5+ projects",
      topics: ["HTML and CSS that last", "TypeScript", "React", "Servers and PostgreSQL"],
    },
    {
      key: "mobile",
      name: "Mobile",
      projects: "4+ projects",
      topics: ["Layouts for real hands", "State and storage", "Camera and location", "Releases to the stores"],
    },
    {
      key: "ai",
      name: "AI",
      projects: "3+ projects",
      topics: ["Python and its tools", "Models, and how to measure them", "Vision on a phone", "When not to use one"],
    },
    {
      key: "cloud",
      name: "Cloud",
      projects: "4+ projects",
      topics: ["Linux and networks", "Containers", "Pipelines and rollbacks", "Logs, alerts and cost"],
    },
  ],
} as const;

export const JOURNEY = {
  title: "The learning journey",
  steps: [
    {
      name: "Foundation",
      text: "The language, the tools, and how to read other people's code. Small exercises, every one reviewed.",
    },
    {
      name: "Specialization",
      text: "One of the four courses, in depth, with the people who do it for a living.",
    },
    {
      name: "Application",
      text: "A project with a user waiting for it. You plan it, ship it, and stay for its first week.",
    },
  ],
} as const;

export const CALL_TO_ACTION = {
  title: "Not sure which one?",
  text: "Ask us, or take the brochure home: all programmes and courses on two pages.",
  brochure: "Download Brochure",
} as const;

export const APPLY = {
  title: "Apply",
  lead: "Five minutes, no cover letter. We read every application and write back within 24 hours.",
} as const;

/** The brochure's path, and its file name when saved. */
export const BROCHURE_PATH = "/sangam-programmes.pdf";
