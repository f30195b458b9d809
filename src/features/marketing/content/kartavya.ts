/** The text of /kartavya. Labels: spec 2. */
export const KARTAVYA = {
  name: "Kartavya",
  title: "Present, in two seconds.",
  lead: "Kartavya is our attendance app for institutions. Look at the phone and your day has begun: no cards, no queue at the register, no argument at the end of the month.",
} as const;

/** What the drawn phone shows. */
export const PHONE = {
  time: "9:02",
  greeting: "Good morning, Aarav",
  shift: "Morning shift, 9 AM - 5 PM",
  state: "Checked in",
  place: "North gate, 9:02",
  week: ["M", "T", "W", "T", "F"],
  balance: "Leave left",
  days: "11 days",
} as const;

export const FEATURES = {
  title: "What it does all day",
  features: [
    {
      key: "face",
      title: "Knows a face",
      text: "Registered once, from 5 images. After that, a glance is enough.",
    },
    {
      key: "place",
      title: "Knows the place",
      text: "The location is read at check-in and check-out, and never in between.",
    },
    {
      key: "offline",
      title: "Works without a signal",
      text: "A check-in in the basement is kept with its time, and sent when the network is back.",
    },
    {
      key: "leave",
      title: "Leave without paper",
      text: "Requested on the phone, approved on the phone, counted at once.",
    },
    {
      key: "roles",
      title: "One view for each desk",
      text: "Staff see their own days, department heads their department's, administrators everyone's.",
    },
    {
      key: "day",
      title: "The day at a glance",
      text: "Who is in, who is late, who is on leave: one screen, up to the minute.",
    },
  ],
} as const;

export const BLOCKS = {
  title: "Made for how institutions work",
  blocks: [
    {
      key: "shifts",
      title: "Flexible Shifts",
      text: "Nine to five is one of many. Shifts can rotate, split and cross midnight.",
      more: [
        "Plan shifts for a person, a group or a whole department, weeks ahead, and copy last month's plan with one tap.",
        "A swap between two colleagues needs both of them and one approval. Grace minutes, half days and overtime follow the rules you set once.",
      ],
    },
    {
      key: "loans",
      title: "Loans & Advances",
      text: "Advances are requested, approved and repaid in the same place as the salary.",
      more: [
        "Each person sees what was granted, what is left, and which month's pay covers the next instalment.",
        "The office sees all of it in one table, with limits for each grade, and no request waits longer than it must.",
      ],
    },
    {
      key: "reports",
      title: "Customisable reports",
      text: "The columns your auditor wants, in the order your auditor wants them.",
      more: [
        "Choose people, dates and columns once, save the report under a name, and get it by email on the first of each month.",
        "Every figure opens the days behind it, so a question is answered on the spot. Export to a spreadsheet, or print: the pages are made for paper.",
      ],
    },
  ],
} as const;

export const KARTAVYA_PRIVACY = {
  title: "A face is not a password",
  text: "You can't change it, so we are careful with it. The policy says in plain words what Kartavya keeps, where, and whom to ask.",
  link: "Read the privacy policy",
} as const;

export const KARTAVYA_CALL = {
  title: "See it at your own gate",
  text: "We bring a phone, you bring the busiest hour. Half a day, no obligation.",
} as const;
