// Initiatives and actions of the demo plans, by the first title of their story.

/** An initiative with the titles of its actions. */
export interface Step {
  title: string
  actions: readonly string[]
}

/** Keyed by `Story.titles[0]`. */
export const STEPS: Readonly<Record<string, readonly Step[]>> = {
  'Onboard the operations team': [
    {
      title: 'Connect the data',
      actions: [
        'Get read access to the warehouse',
        'Connect orders and shipments',
        'Compare totals with the finance report',
      ],
    },
    {
      title: 'Train the teams',
      actions: [
        'Agree on dates for three groups',
        'Hold the session for team leads',
        'Hold the session for the night shift',
        'Send the recording to everybody who missed it',
      ],
    },
    {
      title: 'Move the Monday meeting to the dashboard',
      actions: ['Rebuild the five figures of the spreadsheet', 'Run the first meeting from it'],
    },
  ],
  'Renewal on a two-year term': [
    {
      title: 'Show what was gained',
      actions: [
        'Collect usage and hours saved',
        'Write the value summary on one page',
        'Go through it with the sponsor',
      ],
    },
    {
      title: 'Settle the open complaints',
      actions: [
        'Agree with the product team on dates',
        'Confirm the fixes with the people who complained',
      ],
    },
    {
      title: 'Paperwork',
      actions: ['Send the offer', 'Answer the comments of legal', 'Get the purchase order number'],
    },
  ],
  'Roll out to the finance department': [
    {
      title: 'Win a sponsor in each team',
      actions: [
        'Ask the first sponsor for introductions',
        'Meet the head of controlling',
        'Name sponsors in writing',
      ],
    },
    {
      title: 'Agree on shared definitions',
      actions: [
        'List the ten main metrics',
        'Workshop with both departments',
        'Publish the definitions',
      ],
    },
  ],
  'Raise adoption of alerts': [
    {
      title: 'Find out why people stopped',
      actions: ['Call eight dormant users', 'Sum up the reasons on one page'],
    },
    {
      title: 'Replace daily mails by alerts',
      actions: [
        'Choose thresholds with each team',
        'Switch off the daily mail',
        'Review all alerts after four weeks',
        'Retire alerts that nobody acts on',
      ],
    },
  ],
  'Migrate from the old warehouse': [
    {
      title: 'Take stock',
      actions: ['List all reports with their owners', 'Retire what was not opened this year'],
    },
    {
      title: 'Run both systems side by side',
      actions: [
        'Connect the new platform',
        'Compare the sales reports line by line',
        'Explain every difference in writing',
      ],
    },
    {
      title: 'Switch over',
      actions: [
        'Move the remaining simple reports',
        'Move the board report over a weekend',
        'Turn off the old connection',
      ],
    },
  ],
  'Executive reporting for the board': [
    {
      title: 'Agree on two board metrics',
      actions: [
        'Read the last four board papers',
        'Propose three metrics',
        'Get two of them confirmed',
      ],
    },
    {
      title: 'Produce the first board page',
      actions: ['Draft the page', 'Review the wording with the sponsor', 'Hand it in on time'],
    },
  ],
  'Improve data quality': [
    {
      title: 'Measure where we stand',
      actions: ['Count duplicates and empty fields', 'Build the weekly quality page'],
    },
    {
      title: 'Clean up',
      actions: [
        'Agree on rules for merging',
        'Merge what is certain',
        'Look at the rest by hand',
        'Make two fields required in the sales system',
      ],
    },
  ],
  'Train internal champions': [
    {
      title: 'Choose and certify champions',
      actions: [
        'Ask each region for volunteers',
        'Hold the first session',
        'Hold the second session',
        'Certify the first four',
        'Certify the others',
      ],
    },
    {
      title: 'Hand over the handbook',
      actions: ['Move the handbook to their wiki', 'Name an owner for each chapter'],
    },
  ],
  'Health score that predicts churn': [
    {
      title: 'Learn from the past',
      actions: ['Go through the last 18 lost customers', 'Write down the three earliest signs'],
    },
    {
      title: 'Try it on five accounts',
      actions: ['Score them by hand for a month', 'Compare with what happened', 'Decide'],
    },
  ],
  'Customer conference in autumn': [
    {
      title: 'Fill the room',
      actions: ['Fix venue and date', 'Send the invitations', 'Call those who did not answer'],
    },
    {
      title: 'Find speakers',
      actions: ['Ask six customers', 'Rehearse with each of them', 'Publish the agenda'],
    },
  ],
}
