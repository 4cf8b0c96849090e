// Texts of the demo data: a quarter of a customer success team at an analytics company.

/** Public, and the same for all demo users. */
export const DEMO_PASSWORD = 'cairn-demo-2026'

/** The demo users. */
export const DEMO_PEOPLE = [
  { name: 'Mia Larsen', email: 'mia@example.com', job_title: 'Head of Customer Success' },
  { name: 'Jonas Weber', email: 'jonas@example.com', job_title: 'Senior Customer Success Manager' },
  { name: 'Priya Nair', email: 'priya@example.com', job_title: 'Customer Success Manager' },
] as const

/** Texts for one kind of plan. */
export interface Story {
  /** Each is used once; the subject goes into the titles of the plan's initiatives. */
  titles: readonly (readonly [title: string, subject: string])[]
  description: string
  criteria: string
  /** Texts of updates while the plan goes well, in order. */
  notes: readonly string[]
}

/** Stories of customer plans. `{contact}` and `{account}` are replaced. */
export const CUSTOMER_STORIES: readonly Story[] = [
  {
    titles: [
      ['Onboard the operations team', 'operations'],
      ['First 90 days of the planning team', 'planning'],
      ['Launch for the regional offices', 'the regional offices'],
      ['Onboard customer service', 'customer service'],
      ['Start with the night shift', 'the night shift'],
      ['Onboard the purchasing team', 'purchasing'],
      ['Get field service up and running', 'field service'],
      ['First 90 days of the new plant', 'the new plant'],
    ],
    description:
      'Get the first team productive within a quarter: data connected, people trained, and one decision a week taken from a dashboard instead of a spreadsheet.',
    criteria:
      'Three data sources connected. 25 weekly active users. The Monday meeting runs from the shared dashboard.',
    notes: [
      'Kick-off with {contact} and six team leads. Goals agreed, and they already have a list of who should get access.',
      'Warehouse connection is live. First refresh took 40 minutes, so we moved it to the night.',
      'Trained the first two groups, 14 people. The questions were about definitions, not about the tool: a good sign.',
      '{contact} presented our dashboard in the Monday meeting. One spreadsheet less.',
      'Weekly active users went from 11 to 19. The night shift is still missing; a recorded session is on its way to them.',
      'All three sources are in, and the numbers match their finance report to the cent.',
    ],
  },
  {
    titles: [
      ['Renewal on a two-year term', 'sales'],
      ['Secure the renewal before the budget closes', 'logistics'],
      ['Renew and add seats', 'the branches'],
      ['Early renewal with training', 'the contact centre'],
      ['Renew after the merger', 'both companies'],
      ['Move the contract to annual billing', 'finance'],
      ['Renewal with a new procurement team', 'procurement'],
      ['Renew the group contract', 'the subsidiaries'],
    ],
    description:
      'The contract ends this cycle. Show what was gained, settle the open complaints, and renew before procurement closes its books.',
    criteria:
      'Value review signed off by the sponsor. Renewal signed before procurement closes its books.',
    notes: [
      'Sent {contact} the value summary: 1,400 hours saved, with the calculation attached so that finance can check it.',
      'Went through the usage numbers together. They did not know how much the field team relies on the alerts.',
      'Two of the three open complaints are closed. The export format is planned for the next release.',
      'Procurement confirmed the paper trail. Legal has our standard terms with two comments.',
      'Verbal yes from {contact}. Waiting for the purchase order number.',
    ],
  },
  {
    titles: [
      ['Roll out to the finance department', 'finance'],
      ['Expand to three more teams', 'the new teams'],
      ['Second business unit', 'the second business unit'],
      ['Roll out to human resources', 'human resources'],
      ['Bring in the plants abroad', 'the plants abroad'],
      ['Open it to all branch managers', 'branch managers'],
      ['Roll out to product management', 'product management'],
      ['Expand to the Nordic countries', 'the Nordic countries'],
    ],
    description:
      'One department is happy; the next ones heard of it. Bring them in with their own sponsor rather than as guests of the first.',
    criteria:
      'Sponsor named in each new team. 40 more seats in use. Shared definitions of the ten main metrics.',
    notes: [
      'First conversation with the new sponsors. Finance wants month-end numbers by working day three.',
      'Workshop on shared metrics: seven of ten agreed, "active customer" takes another round.',
      'Pilot with five people in finance. {contact} called it the first month-end without night work.',
      'Opened 50 more seats. 43 of them were in use within the first week.',
      'All ten definitions are written down and signed by both departments.',
    ],
  },
  {
    titles: [
      ['Raise adoption of alerts', 'alerts'],
      ['From reports to alerts', 'the weekly reports'],
      ['Win back dormant users', 'self-service reports'],
      ['Get the mobile app used', 'the mobile app'],
      ['Make forecasts part of the week', 'forecasts'],
      ['Raise usage in the warehouses', 'the stock dashboard'],
      ['Bring team leads back', 'the team pages'],
      ['Double the use of shared dashboards', 'shared dashboards'],
    ],
    description:
      'Half of the seats have not been used for a month. Find out why, fix what we can, and give people a reason to come back.',
    criteria:
      'Monthly active users above 70% of seats. At least 30 alerts in use that people acted on.',
    notes: [
      'Called eight people who stopped using it. Five changed jobs inside {account}, three found the mails too many.',
      'Replaced the daily mail by alerts with thresholds. Complaints about noise stopped.',
      'Drop-in hour on Thursdays: nine people came, four of them for the first time since spring.',
      '{contact} showed an alert that caught a stock-out two days early. Asked to use it as a story.',
      'Active users are at 64% and rising every week.',
      '34 alerts in use. Went through each with its owner; only two are never acted on.',
    ],
  },
  {
    titles: [
      ['Migrate from the old warehouse', 'sales reports'],
      ['Move to the new data platform', 'supply reports'],
      ['Retire legacy reports', 'legacy reports'],
      ['Bring the Excel reports over', 'Excel reports'],
      ['Switch to the new finance system', 'finance reports'],
      ['Move the plant reports', 'plant reports'],
      ['Leave the old reporting tool', 'customer reports'],
    ],
    description:
      'Their data team moves to a new platform this year. Every report has to move along without a day of wrong numbers.',
    criteria:
      'All 60 reports moved or retired. Two weeks of both systems side by side with equal numbers.',
    notes: [
      'Inventory is done: 60 reports, of which 22 were not opened this year. Agreed to retire those first.',
      'Both systems run side by side. Differences in four reports, all from time zones.',
      'Sales reports moved. {contact} compared them line by line and is content.',
      '22 retired and 19 moved: 41 of 60. Their team now moves the simple ones without us.',
      'Switched the board report over the weekend. Nobody noticed, which was the plan.',
    ],
  },
  {
    titles: [
      ['Executive reporting for the board', 'the board'],
      ['Quarterly business review', 'the review group'],
      ['Sponsor alignment', 'the new sponsor'],
      ['Monthly figures for the directors', 'the directors'],
      ['A scorecard for the owners', 'the owners'],
      ['Show the new CFO what it brings', 'the new CFO'],
      ['Steering committee every quarter', 'the steering committee'],
    ],
    description:
      'The sponsor changed. Rebuild the relationship on what matters to the new one, with two numbers that the board looks at each quarter.',
    criteria:
      'Two board metrics agreed. First board paper produced from the platform. Sponsor meets us each quarter.',
    notes: [
      'Met {contact}, the new sponsor. Direct, well prepared, wants fewer slides.',
      'Agreed on two board metrics: on-time delivery and cost to serve.',
      'First draft of the board page. Comments were about wording only.',
      'The board paper went out with our page in it. Two follow-up questions, both answered from the data.',
    ],
  },
  {
    titles: [
      ['Improve data quality', 'customer records'],
      ['One customer number', 'customer numbers'],
      ['Clean up the product catalogue', 'the product catalogue'],
      ['Complete the supplier records', 'supplier records'],
      ['Stock figures that can be trusted', 'stock figures'],
      ['One list of sites', 'the list of sites'],
      ['Fewer duplicate contacts', 'contacts'],
    ],
    description:
      'Trust in the numbers is low because records are doubled and fields are empty. Fix it at the source, and show progress weekly.',
    criteria:
      'Duplicates under 1%. Required fields filled in 98% of new records. Weekly quality page in use.',
    notes: [
      'Measured where we stand: 7.4% duplicates, and a third of the records without an industry.',
      'Quality page is live and goes to the three owners of the source systems every Friday.',
      'Merged 2,100 duplicates with rules that {contact} signed off.',
      'The form in their sales system now requires the two fields. New records are at 96%.',
      'Duplicates are down to 1.3%. What is left needs a person to look at it.',
    ],
  },
  {
    titles: [
      ['Train internal champions', 'the first champions'],
      ['Build a centre of excellence', 'the core group'],
      ['Self-service analytics', 'analysts'],
      ['A champion in every region', 'regional champions'],
      ['Train the trainers', 'trainers'],
      ['Hand over first-line support', 'support agents'],
      ['Open the analytics academy', 'academy members'],
    ],
    description:
      'They want to need us less. Train people who train people, and write down what they should not have to ask.',
    criteria:
      'Eight certified champions. 80% of questions answered inside {account}. A handbook that they maintain.',
    notes: [
      'Twelve volunteers for eight places. {contact} picked one from each region.',
      'First session done. Homework: one real question from their own week.',
      'Champions answered 34 questions this month, we answered 19. Last month it was the other way round.',
      'The handbook has its own page owner now, and is better than ours in two chapters.',
      'Six of eight certified. The other two have dates.',
    ],
  },
]

/** Stories of internal projects. */
export const PROJECT_STORIES: readonly Story[] = [
  {
    titles: [
      ['Health score that predicts churn', 'the health score'],
      ['One process for renewals', 'the renewal process'],
      ['Handover from sales without loss', 'the handover from sales'],
      ['Business reviews in half the time', 'the business review'],
      ['One definition of an active customer', 'the definition'],
    ],
    description:
      'We do the same thing in three ways. Agree on one, write it down, and measure whether it works.',
    criteria: 'Everybody uses it for a full month. Results compared with the quarter before.',
    notes: [
      'Looked at the last 18 lost customers. In 12 of them the sponsor had left three months before.',
      'First version written down on two pages. Read aloud in the team meeting, cut to one.',
      'Tried it on five accounts. Works, except where there are two contracts.',
      'All of us use it now. It takes ten minutes instead of forty.',
      'Compared with last quarter: surprises went from seven to two.',
    ],
  },
  {
    titles: [
      ['Customer conference in autumn', 'the conference'],
      ['Customer advisory board', 'the advisory board'],
      ['Reference programme', 'the reference programme'],
      ['User group in the north', 'the user group'],
      ['Webinars by customers', 'the webinars'],
    ],
    description: 'Bring customers together who can learn more from each other than from us.',
    criteria: 'Ten customers take part. Four agree to speak. Feedback of 8 of 10 or better.',
    notes: [
      'Venue and date are fixed. Invitations go to 24 customers.',
      'Nine confirmed, among them two that we were worried about.',
      'Four speakers found. Rehearsals are in the last week of the month.',
      'Agenda is out. The round tables were full within a day.',
    ],
  },
]

// Texts of updates that begin, disturb or end a plan. `{contact}` is replaced.
export const START_NOTES = [
  'Started. Everybody has access, and the first meeting is in the calendar.',
  'We are on the way: goals confirmed in writing, weekly slot on Tuesdays.',
  'Began this week. {contact} is our daily contact, decisions go to the sponsor.',
  'Off to a good start. Scope agreed, nothing open from the contract.',
]
export const RISK_NOTES = [
  '{contact} is leaving at the end of the month. No successor named yet; asked the sponsor for one.',
  'No answer for ten days. Will try the phone tomorrow and the sponsor on Friday.',
  'Their IT froze all changes until after the audit. We lose about three weeks.',
  'Budget discussion on their side. The project is safe, the second phase is not.',
  'Usage fell by a fifth since the reorganisation. Two team leads did not take over the routines.',
  'The integration broke with their upgrade. Engineering has the logs, a fix is promised for Thursday.',
  'A competitor is presenting next week. {contact} told us openly and wants a comparison.',
  'Legal has new questions on data residency. Sent the documents, waiting for a date.',
]
export const OFF_TRACK_NOTES = [
  'Still no sponsor. I would not bet on the end date; proposing a smaller first step.',
  'Third meeting cancelled in a row. Escalated to our side of the management today.',
  'The test data was wrong for six weeks, so what we measured is worth nothing. Starting the measurement again.',
]
export const RECOVERY_NOTES = [
  'Good call today: the new contact knows the product from a former job. Back on track.',
  'The fix is in, numbers are complete again. Thanked {contact} for the patience.',
  'Change freeze ended a week early. We caught up most of the delay.',
  'Sponsor took a clear decision. Weekly slot is back, and people show up.',
]
export const PAUSE_NOTES = [
  'Paused until their new fiscal year: the budget is there, the people are not.',
  'On hold while they merge two departments. Agreed to talk again in six weeks.',
  'Paused at the request of {contact}: the audit has priority until the end of the month.',
]
export const CANCEL_NOTES = [
  'Cancelled together with {contact}: the goal moved into the larger migration plan.',
  'They decided to stop this line of business. Nothing left to do here; kept the contacts warm.',
  'Stopped. The sponsor left and the new one has other priorities, said in a friendly way.',
]
export const DONE_NOTES = [
  'Done. Results presented to the sponsor, who forwarded them to the whole management team.',
  'Finished. {contact} wrote a very kind mail; saved it for the reference programme.',
  'All criteria are met, checked point by point with {contact}.',
  'Closed with a review: what went well, what we would do sooner.',
]
export const PARTLY_DONE_NOTES = [
  'Closed. Most of the criteria are met; the rest moves into a plan of its own.',
  'Finished, smaller than planned. The part that counts for {contact} is in use.',
]
