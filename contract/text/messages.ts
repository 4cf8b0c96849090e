import type { Messages } from './catalogue.ts'
import { LOCALE } from './locale.ts'

/** Validation messages of fields, for forms and for the server's 422 responses. */
export const validationMessages = {
  required: 'This is required.',
  unknown: 'This is not known here.',
  text: 'Enter some text.',
  notEmpty: 'This must not be empty.',
  controlCharacters: 'Remove the control characters.',
  invisibleCharacters: 'Remove the invisible characters.',
  id: 'Enter an id.',
  invalidId: 'This is not a valid id.',
  day: 'Enter a day as YYYY-MM-DD.',
  existingDay: 'Enter a day that exists, as YYYY-MM-DD.',
  instant: 'Enter an instant as ISO 8601 in UTC.',
  email: 'Enter an email address.',
  validEmail: 'Enter an email address such as name@example.com.',
  phone: 'Enter a phone number.',
  website: 'Enter a web address.',
  httpsWebsite: 'Enter a web address that starts with https://.',
  userInWebsite: 'Enter a web address without a user name.',
  wholeNumber: 'Enter a whole number.',
  number: 'Enter a number.',
  largerNumber: 'Enter a larger number.',
  smallerNumber: 'Enter a smaller number.',
  timeZone: 'Choose a time zone.',
  knownTimeZone: 'Choose a time zone such as Europe/Paris.',
  currency: 'Enter a currency.',
  currencyCode: 'Enter a currency code such as EUR.',
  version: 'Enter a version, from 0.',
  amount: 'Enter an amount.',
  smallerAmount: 'Enter a smaller amount.',
  linkIncomplete: 'This link is incomplete.',
  repeatName: 'Repeat the name.',
  passwordIsEmail: 'Choose a password that is not your email address.',
  password: 'Enter a password.',
  repeatPassword: 'Repeat the password.',
  passwordsDiffer: 'The passwords do not match.',
  passwordTooShort: 'Use at least 8 characters.',
  subscription: 'Send the subscription as the browser gives it.',
  yesOrNo: 'Choose yes or no.',
  stepOrStatus: 'Send a step with done, or a status.',
  cadence: 'Choose 7, 14 or 30 days.',
  accountOfPlan: 'Choose the account that this plan is for.',
  endDateBeforeStart: 'The end date must not be before the start date.',
  emptyUpdate: 'Write what happened, or change the progress, status or health.',
  endBeforeStart: 'The end must not be before the start.',
  maxCharacters: (most: number) => `Use at most ${most.toLocaleString(LOCALE)} characters.`,
  atLeast: (least: number) => `Enter ${least} or more.`,
  atMost: (most: number) => `Enter ${most} or less.`,
  wholeNumberFrom: (least: number, most: number) =>
    `Enter a whole number from ${least} to ${most}.`,
  oneOf: (values: readonly string[]) => `Choose one of: ${values.join(', ')}.`,
  maxItems: (
    most: number,
    items:
      | 'actions'
      | 'contacts'
      | 'initiatives'
      | 'measurements'
      | 'operations'
      | 'tags'
      | 'transports',
  ) => `Use at most ${most} ${items}.`,
  base64Bytes: (bytes: number) => `Send ${bytes} bytes as base64url.`,
} as const satisfies Messages
