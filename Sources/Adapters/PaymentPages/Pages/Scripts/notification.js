tell(data.event, data.reason || "");
leave(data.event, data.reason || "");
