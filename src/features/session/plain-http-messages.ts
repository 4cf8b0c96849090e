import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts of an address without HTTPS. */
export const plainHttpMessages = {
  password: 'This address has no encryption: your password travels unprotected.',
  onlineOnly:
    'At this address Cairn works online only. Open it over HTTPS for offline work and notifications.',
} as const satisfies Messages
