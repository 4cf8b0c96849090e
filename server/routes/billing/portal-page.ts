// The page that `customer-portal` links to when no payment provider is configured.
import { LOCALE } from '../../../contract/text/locale.ts'

/** Path of the page. Under /api, because the app's service worker does not handle that. */
export const PORTAL_PATH = '/api/v1/billing-portal'

/** A static HTML page. */
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
