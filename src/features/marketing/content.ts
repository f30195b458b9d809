/** Every word that is the firm's own: change them here, nowhere else. */
export const FIRM = {
  product: "Sangam",
  name: "Sangam Software",
  email: "hello@sangam.example",
  reply: "We reply within 24 hours.",
  hours: "Mon-Fri 9 AM - 6 PM",
} as const;

export const HERO = {
  title: "Software that ships like someone is waiting.",
  lead: "We are a small team that builds attendance systems, mobile apps and AI tools, and stays until they work on a busy Monday.",
} as const;

export const COUNTERS = [
  { figure: "10,000+", caption: "people reached" },
  { figure: "5+", caption: "years" },
  { figure: "3+", caption: "products" },
] as const;

export const VALUES = [
  {
    key: "care",
    title: "Care for the desk",
    text: "We sit next to the people who will use it before we write a line.",
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
] as const;

export const GOALS = [
  {
    key: "watch",
    title: "Work you can watch",
    text: "Each client sees the same board we do: what is open, what moves, and what is done.",
  },
  {
    key: "answer",
    title: "Answers in words",
    text: "A question gets a person and a sentence, in one place where nothing is lost.",
  },
  {
    key: "own",
    title: "Code that is yours",
    text: "It lives in your repository from the first day, and each change is there to read.",
  },
  {
    key: "stay",
    title: "There after launch",
    text: "We count a project as finished when it has got through its first busy week.",
  },
] as const;

export const SERVICES = ["Attendance system", "Mobile apps", "AI solutions", "Consulting"] as const;

/** One section of a legal page: the id is its anchor. */
export type LegalSection = { id: string; title: string; paragraphs: readonly string[] };
export type LegalText = { title: string; dated: string; lead: string; sections: readonly LegalSection[] };

/** The day of `TERMS_VERSION`, which sign-up records: the two change together. */
const LEGAL_DAY = "2026-11-20";

export const TERMS: LegalText = {
  title: "Terms",
  dated: LEGAL_DAY,
  lead: "What holds between you and Sangam Software when you use Sangam. We wrote it to be read.",
  sections: [
    {
      id: "service",
      title: "What Sangam is",
      paragraphs: [
        "Sangam is the place where our team and our clients see the same projects and tasks, write to each other, and follow the changes in the code.",
        "It is a tool for the work we do together. It comes without a price of its own.",
      ],
    },
    {
      id: "account",
      title: "Your account",
      paragraphs: [
        "Whoever signs up waits for approval by one of our administrators. We may refuse, and we may close an account that is no longer needed or that is misused.",
        "Give your real name and an e-mail address that you read. Keep your password to yourself; an account belongs to one person.",
        "If you believe that somebody else has used your account, write to us the same day.",
      ],
    },
    {
      id: "content",
      title: "What you put in",
      paragraphs: [
        "What you write and link here stays yours. You allow us to store it and to show it to the people of the projects it belongs to, and for nothing else.",
        "Do not put in what you have no right to share, passwords, or anything that breaks the law.",
      ],
    },
    {
      id: "conduct",
      title: "Fair use",
      paragraphs: [
        "Do not try to reach projects or conversations that are not yours, do not overload the service, and do not use it to send advertising.",
        "If you find a way in that should not be there, tell us before you tell others. We will thank you and mend it.",
      ],
    },
    {
      id: "promise",
      title: "What we promise, and what not",
      paragraphs: [
        "We look after Sangam with care, keep it up to date, and tell you when something went wrong with your data. We cannot promise that it is never interrupted.",
        "What we owe you for a project stands in the contract for that project. These terms change nothing in it.",
      ],
    },
    {
      id: "end",
      title: "Leaving",
      paragraphs: [
        "You may stop at any time: write to us and we close your account. What happens to your data then stands in the privacy policy.",
      ],
    },
    {
      id: "changes",
      title: "Changes",
      paragraphs: [
        "When these terms change, the date above changes. We write to you before a change that matters to you takes effect. Sign-up stores which version you accepted, and when.",
      ],
    },
  ],
};

export const PRIVACY: LegalText = {
  title: "Privacy",
  dated: LEGAL_DAY,
  lead: "Which data about you Sangam keeps, why, who sees it, and how you get it out again.",
  sections: [
    {
      id: "who",
      title: "Who is responsible",
      paragraphs: ["Sangam Software. For every question about your data write to hello@sangam.example."],
    },
    {
      id: "account",
      title: "Your account",
      paragraphs: [
        "Your name, e-mail address, phone number, a user name made from your name, whether your account waits, is active or closed, and when and which version of the terms you accepted.",
        "Your password is stored only as a hash, from which it cannot be read. If you sign in with Google, we receive your name and your verified e-mail address from Google.",
      ],
    },
    {
      id: "work",
      title: "Your work",
      paragraphs: [
        "The projects and tasks you are part of, what you write in them, and your messages, with the time they were sent and read.",
        "For projects with a repository we show commits read from GitHub: message, time, and the author's name and picture as GitHub gives them.",
      ],
    },
    {
      id: "technical",
      title: "What the machine notes",
      paragraphs: [
        "For each sign-in a session with its time, network address and browser, so that you and we can end it. One cookie keeps you signed in: 30 days when you ask us to remember you, otherwise until you close the browser, and 12 hours at most.",
        "Your choice of theme and of the folded sidebar stay in your browser. There is no advertising, no tracking, and no other firm's script on these pages.",
      ],
    },
    {
      id: "sees",
      title: "Who sees it",
      paragraphs: [
        "Colleagues of our team see the names of the people in a project. Clients see only their own projects and the names of those who work on them, never e-mail addresses or phone numbers. A conversation is seen by the two people in it.",
        "Administrators see accounts, in order to approve and help. We sell nothing and pass nothing on, unless a law obliges us.",
      ],
    },
    {
      id: "long",
      title: "How long",
      paragraphs: [
        "As long as your account exists. When it is erased, your name, e-mail address and phone number go; what you wrote in projects stays for the others, under \u201cUnknown User\u201d.",
      ],
    },
    {
      id: "rights",
      title: "Your rights",
      paragraphs: [
        "Ask us what we hold about you, and we send you a copy. Ask us to correct or to erase it, and we do. We answer within 30 days, usually within one.",
      ],
    },
  ],
};

export const NOT_FOUND = {
  title: "This page does not exist",
  lead: "The address may be mistyped, or the page has moved. Nothing is broken on your side.",
} as const;
