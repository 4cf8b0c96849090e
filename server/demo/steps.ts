// Initiatives and actions of the demo plans, by the first title of their story.

/** An initiative with the titles of its actions. `{subject}` is replaced by that of the plan's title. */
export interface Step {
  title: string
  actions: readonly string[]
}

/** Keyed by the first title of the story. */
export const STEPS: Readonly<Record<string, readonly Step[]>> = {
  'Onboard the operations team': [
    {
      title: 'Connect the data of {subject}',
      actions: [
        'Get read access to the warehouse',
        'Connect orders and shipments',
        'Compare totals with the finance report',
      ],
    },
    {
      title: 'Train {subject}',
      actions: [
        'Agree on dates for three groups',
        'Hold the session for team leads',
        'Hold the session for the night shift',
        'Send the recording to everybody who missed it',
      ],
    },
    {
      title: 'Move the Monday meeting of {subject} to the dashboard',
      actions: ['Rebuild the five figures of the spreadsheet', 'Run the first meeting from it'],
    },
  ],
  'Renewal on a two-year term': [
    {
      title: 'Show what was gained in {subject}',
      actions: [
        'Collect usage and hours saved',
        'Write the value summary on one page',
        'Go through it with the sponsor',
      ],
    },
    {
      title: 'Settle the complaints from {subject}',
      actions: [
        'Agree with the product team on dates',
        'Confirm the fixes with the people who complained',
      ],
    },
    {
      title: 'Sign the contract for {subject}',
      actions: ['Send the offer', 'Answer the comments of legal', 'Get the purchase order number'],
    },
  ],
  'Roll out to the finance department': [
    {
      title: 'Win sponsors for {subject}',
      actions: [
        'Ask the first sponsor for introductions',
        'Meet the head of controlling',
        'Name sponsors in writing',
      ],
    },
    {
      title: 'Agree on definitions with {subject}',
      actions: [
        'List the ten main metrics',
        'Workshop with both departments',
        'Publish the definitions',
      ],
    },
  ],
  'Raise adoption of alerts': [
    {
      title: 'Find out why use of {subject} fell',
      actions: ['Call eight dormant users', 'Sum up the reasons on one page'],
    },
    {
      title: 'Make {subject} worth opening',
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
      title: 'Take stock of the {subject}',
      actions: ['List all reports with their owners', 'Retire what was not opened this year'],
    },
    {
      title: 'Run the {subject} on both systems',
      actions: [
        'Connect the new platform',
        'Compare the sales reports line by line',
        'Explain every difference in writing',
      ],
    },
    {
      title: 'Switch over the {subject}',
      actions: [
        'Move the remaining simple reports',
        'Move the board report over a weekend',
        'Turn off the old connection',
      ],
    },
  ],
  'Executive reporting for the board': [
    {
      title: 'Agree on two metrics with {subject}',
      actions: [
        'Read the last four board papers',
        'Propose three metrics',
        'Get two of them confirmed',
      ],
    },
    {
      title: 'Produce the first page for {subject}',
      actions: ['Draft the page', 'Review the wording with the sponsor', 'Hand it in on time'],
    },
  ],
  'Improve data quality': [
    {
      title: 'Measure the quality of {subject}',
      actions: ['Count duplicates and empty fields', 'Build the weekly quality page'],
    },
    {
      title: 'Put {subject} in order',
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
      title: 'Choose and certify {subject}',
      actions: [
        'Ask each region for volunteers',
        'Hold the first session',
        'Hold the second session',
        'Certify the first four',
        'Certify the others',
      ],
    },
    {
      title: 'Hand the handbook over to {subject}',
      actions: ['Move the handbook to their wiki', 'Name an owner for each chapter'],
    },
  ],
  'Health score that predicts churn': [
    {
      title: 'Collect examples for {subject}',
      actions: ['Go through the last 18 lost customers', 'Write down the three earliest signs'],
    },
    {
      title: 'Try {subject} on five accounts',
      actions: ['Score them by hand for a month', 'Compare with what happened', 'Decide'],
    },
  ],
  'Customer conference in autumn': [
    {
      title: 'Find guests for {subject}',
      actions: ['Fix venue and date', 'Send the invitations', 'Call those who did not answer'],
    },
    {
      title: 'Find speakers for {subject}',
      actions: ['Ask six customers', 'Rehearse with each of them', 'Publish the agenda'],
    },
  ],
}
