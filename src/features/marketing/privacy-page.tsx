import { LEGAL_DAY, LegalPage, type LegalText } from "./legal-page";

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
      id: "inquiries",
      title: "What you send us from these pages",
      paragraphs: [
        "What you write into the contact form or an application: your name, e-mail address, phone number or company where you give one, and your words. We keep it to answer you, and our administrators alone read it.",
      ],
    },
    {
      id: "technical",
      title: "What the machine notes",
      paragraphs: [
        "For each sign-in a session with its time, network address and browser, so that you and we can end it. One cookie keeps you signed in: 30 days when you ask us to remember you, otherwise until you close the browser, and 12 hours at most.",
        "Your choice of theme and of the folded sidebar stay in your browser. There is no advertising, no tracking, and no other firm's script on these pages.",
        "How fast a page was for those who opened it is measured, with the page's address and nothing that tells whose visit it was. These figures go after 28 days.",
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

export function PrivacyPage() {
  return <LegalPage text={PRIVACY} />;
}
