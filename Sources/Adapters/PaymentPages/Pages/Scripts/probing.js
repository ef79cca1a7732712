let redirected = false;
blocked(["connect-src"], () => { redirected = true; });
const reachable = async () => {
  try {
    await fetch(data.origin + "/", {
      method: "HEAD", mode: "no-cors", credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer"
    });
    return true;
  } catch (error) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return redirected;
  }
};
