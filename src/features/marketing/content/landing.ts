/** The text of the start page. Labels and figures: spec 2, 9. */
export const HERO = {
  title: "Software that ships like someone is waiting.",
  lead: "We are a small team that builds attendance systems, mobile apps and AI tools, and stays until they work on a busy Monday.",
} as const;

export const COUNTERS = [
  { figure: 10_000, caption: "people reached" },
  { figure: 5, caption: "years" },
  { figure: 3, caption: "products" },
] as const;

export const ABOUT = {
  title: "About Us",
  lead: "Sangam means confluence: the place where rivers meet. Ours is where the people who need a tool and the people who make it look at the same work.",
  values: [
    {
      key: "care",
      title: "Care for the desk",
      text: "Before we write a line, we sit next to the people who will use it.",
    },
    {
      key: "measure",
      title: "Measured, not guessed",
      text: "Every screen has a number it must hit: load, errors, time to finish.",
    },
    {
      key: "grow",
      title: "Grow juniors",
      text: "Interns ship real features, with a reviewer who has time for them.",
    },
  ],
} as const;

export const OFFER = {
  title: "What we build",
  services: {
    "attendance-system": {
      text: "Kartavya: a face, a place and a time, checked in two seconds at the gate. Shifts, leave and pay follow from it.",
      link: { href: "/kartavya", label: "See Kartavya" },
    },
    "mobile-apps": {
      text: "For the phones and networks people really have: quick to load, and useful without a signal.",
      link: null,
    },
    "ai-solutions": {
      text: "Where a model saves someone an hour a day, and says when it is not sure. Not where a list would do.",
      link: null,
    },
    consulting: {
      text: "A second pair of eyes on a plan, a codebase or a bill. You get our findings in writing within a week.",
      link: null,
    },
  },
} as const;

export const WORK = {
  title: "Client work",
  lead: "What we build for clients is theirs to show. How we build it is ours to show: every client signs in, sees the board we work from, and sees each change to the code.",
  points: [
    "The same cards we see: what is open, what is moving, what is done.",
    "Each change in the repository, with its author and date.",
    "One conversation, with a person at the other end.",
  ],
  /** The decorative drawing beside it. */
  drawing: {
    project: "Harbour booking portal",
    done: 7,
    total: 9,
    commits: [
      { author: "RS", title: "Move the tide table above the slots", when: "2 hours ago" },
      { author: "AK", title: "Retry a failed payment three times", when: "yesterday" },
      { author: "MD", title: "Print the day sheet for the gate", when: "18 Nov" },
    ],
  },
} as const;

export const GOAL = {
  title: "Our Goal",
  lead: "So nobody has to ask how far along it is.",
  goals: [
    {
      key: "watch",
      title: "Work you can watch",
      text: "Each client sees the same board we do: what is open, what is moving, and what is done.",
    },
    {
      key: "answer",
      title: "Answers in words",
      text: "A person answers every question, in one place where nothing gets lost.",
    },
    {
      key: "own",
      title: "Code that is yours",
      text: "It lives in your repository from the first day, and each change is there to read.",
    },
    {
      key: "stay",
      title: "There after launch",
      text: "A project is finished once it has come through its first busy week.",
    },
  ],
} as const;

export const CONTACT = {
  title: "Contact",
  lead: "Tell us what should work on Monday. A few lines are enough; a person reads them.",
} as const;
