// The page behind `customer-portal` while no payment provider is connected.
import { LOCALE } from '../../../contract/locale.ts'

/** Where the built-in page is: under /api, which the app's own worker leaves alone. */
export const PORTAL_PATH = '/api/v1/billing-portal'

/** No customer portal, and honest about it. */
export const PORTAL_PAGE = `<!doctype html>
<html lang="${LOCALE}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Billing – Cairn</title></head>
<body>
<h1>Payments are not set up</h1>
<p>This server is not connected to a payment provider. Upgrading and downgrading work and cost nothing; there are no invoices, no cards and nothing to manage.</p>
<p><a href="/settings/organisation/billing">Back to the billing settings</a></p>
</body>
</html>
`
