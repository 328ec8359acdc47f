// The last page of the sign-in popup: tell the app's windows, then close. The message holds no
// secret; the app asks the gateway who is signed in. BroadcastChannel reaches this origin only.
const channel = new BroadcastChannel('serein-session');
channel.postMessage({ type: 'signed-in' });
channel.close();
window.close();
