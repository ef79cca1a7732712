// Pays through the service with a client that was generated from its OpenAPI document:
//
//   node service_client.js SERVICE TOKEN ADDRESS PSP
//
// ADDRESS is that of an order at the sandbox PSP. Prints how the payment ended, and its story.
import { Configuration, DefaultApi, SessionView } from './payment_client';

declare const process: { argv: string[]; exitCode?: number };

function client(service: string, token: string): DefaultApi {
    return new DefaultApi(new Configuration({ basePath: service, accessToken: token }));
}

/** Yields the views of a session as events bring them, until the stream ends. */
async function* follow(service: string, token: string, session: string): AsyncGenerator<SessionView> {
    const response = await fetch(`${service}/v1/sessions/${session}/stream`, {
        headers: { Authorization: `Bearer ${token}` },
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done) return;
            const lines = (rest + value).split('\n');
            rest = lines.pop()!;
            for (const line of lines) {
                if (!line.startsWith('data: {')) continue;
                const event = JSON.parse(line.slice('data: '.length)) as { view?: SessionView };
                if (event.view) yield event.view;
            }
        }
    } finally {
        await reader.cancel();
    }
}

async function main(service: string, token: string, address: string, psp: string): Promise<void> {
    const shop = client(service, token);
    const opened = await shop.openSession({ opening: { url: address, reference: 'order-4712' } });
    const session = opened.session;
    const made = await shop.createPayerToken({ session });

    // From here on as the payer.
    const payer = client(service, made.token);
    const view = await payer.attempt({
        session, idempotencyKey: 'attempt-1', attempt: { instrument: 'swish' },
    });
    const action = view.actions[0];
    if (action.kind !== 'launchApp' || !action.url) throw new Error(`unexpected ${action.kind}`);
    await payer.report({ session, action: action.id, prefer: 'wait=0', report: { outcome: 'launched' } });
    const swish = /token=([^&]+)/.exec(action.url)![1];
    await fetch(`${psp}/sandbox/swish/${swish}?decision=approve`);
    let outcome: string | null = null;
    for await (const newest of follow(service, made.token, session)) {
        outcome = newest.outcome;
        if (outcome) break;
    }
    console.log('ended as', outcome);
    if (outcome !== 'completed') throw new Error('not paid');
    const told = await shop.story({ session });
    for (const part of told.story) console.log(part.text);
}

main(process.argv[2], process.argv[3], process.argv[4], process.argv[5]).catch((error) => {
    console.error(error);
    process.exitCode = 1;
});
