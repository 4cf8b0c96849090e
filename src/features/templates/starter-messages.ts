import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts of the starter templates, offered to an organisation without templates. */
export const starterMessages = {
  onboarding: {
    title: 'Onboarding in 90 days',
    description: 'From the kick-off to the first result that the customer would miss.',
    goals: 'Agree on success',
    kickOff: 'Kick-off meeting',
    criteria: 'Write down the success criteria',
    people: 'Name the decision makers and users',
    setUp: 'Set up and train',
    data: 'Import the data',
    training: 'Train the first group',
    result: 'First result',
    review: 'Review the criteria together',
    handOver: 'Hand over to daily operations',
  },
  renewal: {
    title: 'Renewal',
    description: 'Start four months before the contract ends.',
    position: 'Understand where they are',
    usage: 'Review usage and open requests',
    decision: 'Talk to the decision maker',
    value: 'Show the value delivered',
    results: 'Collect results against the criteria',
    sponsor: 'Value review with the sponsor',
    signing: 'Sign',
    offer: 'Send the offer',
    signed: 'Contract signed',
  },
} as const satisfies Messages
